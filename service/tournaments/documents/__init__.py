"""Reading a tournament's document: its nodes, fields and values, what they must fulfil, and what is wrong in it."""
