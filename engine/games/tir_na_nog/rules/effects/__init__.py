"""What special cards do, in one module for each printed timing."""
