"""The rules of Tír na nÓg: the table, its cards, what may be done and what it scores."""
