"""All texts of Tír na nÓg, in English and French."""
