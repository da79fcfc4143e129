"""The rules of Tír na nÓg: the table, its cards, the actions and the score."""
