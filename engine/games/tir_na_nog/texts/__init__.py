"""Everything of Tír na nÓg that people read, in English and French."""
