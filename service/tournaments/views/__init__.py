"""What people see of a tournament, computed from its state: overviews, brackets, meetings, and reasons in words."""
