"""What people read of Bardwood Grove, in English and French."""
