"""Locations, creatures, legends, motifs, events and muses of edition house-1, as text tables."""

from __future__ import annotations

LOCATIONS = """
moss-gate          | Moss Gate          | Porte de mousse        | lair        | a1 a2 | -  | -
owl-cliff          | Owl Cliff          | Falaise aux hiboux     | lair        | a3 a4 | -  | -
bramble-hollow     | Bramble Hollow     | Combe aux ronces       | lair        | b1 c1 | -  | -
reed-marsh         | Reed Marsh         | Marais aux roseaux     | lair        | b4 c4 | -  | -
old-bridge         | Old Bridge         | Vieux pont             | lair        | c2 c3 | -  | -
song-school        | Song School        | École de chant         | shop        | a2 b2 | C2 | skill1
string-workshop    | String Workshop    | Atelier des cordes     | shop        | c3 c4 | C2 | skill2
jam-cellar         | Jam Cellar         | Cave aux impros        | shop        | c1 c2 | C3 | impro1
moon-tavern        | Moon Tavern        | Taverne de la Lune     | shop        | a3 b3 | C3 | impro2
bank               | Bank               | Banque                 | bank        | b2 b3 | -  | -
open-stage         | Open Stage         | Scène ouverte          | performance | b2 c2 | L5 | G1 FAN
lakeside-bandstand | Lakeside Bandstand | Kiosque du lac         | performance | a4 b4 | L4 | G1
hollow-oak         | Hollow Oak Theatre | Théâtre du chêne creux | performance | a1 b1 | L6 | G1 C2
grand-amphitheatre | Grand Amphitheatre | Grand amphithéâtre     | performance | b3 c3 | L8 | G2 A1
north-jetty        | North Jetty        | Jetée du nord          | jetty       | a2 a3 | -  | -
story-pier         | Story Pier         | Ponton des récits      | jetty       | b3 b4 | -  | -
bell-foundry       | Bell Foundry       | Fonderie de cloches    | conversion  | b1 b2 | C2 | V4
echo-cave          | Echo Cave          | Grotte aux échos       | conversion  | a1    | V2 | M2
poets-bench        | Poets’ Bench       | Banc des poètes        | conversion  | a4    | V2 | L2
watchtower         | Watchtower         | Tour de guet           | conversion  | c1    | V2 | R2
crystal-spring     | Crystal Spring     | Source de cristal      | conversion  | c4    | V2 | A1
toll-gate          | Toll Gate          | Péage                  | conversion  | b1    | V4 | C2
market-row         | Market Row         | Allée du marché        | conversion  | b4    | -  | -
"""
"""location | English | French | kind | borders | cost | gain, or the pile of a shop"""

CREATURES = """
humming-hedgehog | Hérisson fredonnant    | small | 3 | 1 | V2       | base
coin-toad        | Crapaud aux pièces     | small | 3 | 1 | C1       | base
moss-badger      | Blaireau des mousses   | small | 3 | 1 | MV2      | base
glow-wisp        | Feu follet             | small | 3 | 1 | A1       | base
bramble-fox      | Renard des ronces      | small | 4 | 1 | R1 V1    | base
drum-beetle      | Scarabée tambour       | small | 4 | 1 | V3       | base
thorn-boar       | Sanglier d’épines      | small | 5 | 1 | G1       | base
lantern-owl      | Chouette lanterne      | small | 5 | 2 | A1 C1    | base
root-imp         | Lutin des racines      | small | 5 | 2 | C2       | base
gloom-stag       | Cerf lugubre           | small | 6 | 2 | G1 V1    | base
puddle-drake     | Drac des flaques       | small | 5 | 1 | G1       | spring
bellow-bear      | Ours mugissant         | small | 6 | 2 | G1 C1    | spring
shriek-hawk      | Faucon strident        | small | 6 | 2 | A2       | summer
vine-serpent     | Serpent des lianes     | small | 6 | 2 | G1 MV1   | autumn
reed-otter       | Loutre des roseaux     | small | 4 | 1 | C1 MV1   | winter
copper-crow      | Corneille de cuivre    | small | 4 | 1 | C1 V1    | winter
dissonant-dragon | Dragon dissonant       | boss  | 9 | 3 | G2 A1    | base
thunder-troll    | Troll du tonnerre      | boss  | 8 | 3 | G2       | base
hollow-treant    | Arbre creux            | boss  | 7 | 3 | G1 C2    | base
screech-queen    | Reine stridente        | boss  | 8 | 3 | G1 A2    | base
cacophony-hydra  | Hydre cacophonique     | boss  | 9 | 3 | G2 V2    | base
feedback-golem   | Golem du larsen        | boss  | 7 | 3 | G1 V3    | spring
discord-wyrm     | Vouivre de la discorde | boss  | 8 | 3 | G2       | summer
void-choir       | Chœur du vide          | boss  | 7 | 3 | G1 R1 A1 | winter
"""
"""creature | French | kind | soothe value | points | benefits | set"""

LEGENDS = """
the-first-crowd    | La Première Foule     | I   | base
the-misers-song    | La Chanson de l’avare | I   | base
torn-banners       | Bannières déchirées   | I   | base
the-gentle-hunter  | Le Doux Chasseur      | I   | base
carved-stones      | Pierres gravées       | I   | base
the-apprentice     | L’Apprentie           | I   | summer
singing-crystals   | Cristaux chantants    | I   | winter
the-thousand-hands | Les Mille Mains       | II  | base
the-tamed-forest   | La Forêt apprivoisée  | II  | base
the-grand-tour     | La Grande Tournée     | II  | base
the-masters-book   | Le Livre du maître    | II  | base
the-silent-wheel   | La Roue muette        | II  | base
the-proud-rival    | Le Fier Rival         | II  | summer
the-three-gifts    | Les Trois Dons        | II  | winter
the-five-terrors   | Les Cinq Terreurs     | III | base
the-tale-of-tales  | Le Conte des contes   | III | base
the-golden-age     | L’Âge d’or            | III | base
the-eight-runes    | Les Huit Runes        | III | base
the-four-winds     | Les Quatre Vents      | III | base
the-endless-jam    | Le Bœuf sans fin      | III | summer
the-emerald-hoard  | Le Trésor d’émeraude  | III | winter
"""
"""legend | French | level | set"""

MOTIFS = """
long-song       | Longue chanson      | 1 | base
wild-impro      | Impro débridée      | 1 | base
double-calm     | Double apaisement   | 1 | base
old-and-new     | L’ancien et le neuf | 1 | base
full-voice      | À pleine voix       | 1 | spring
busy-night      | Nuit chargée        | 1 | spring
friend-and-foe  | Ami et rival        | 1 | summer
stage-and-story | Scène et récit      | 2 | summer
heavy-purse     | Bourse pleine       | 1 | autumn
fan-club        | Club de fans        | 1 | autumn
deafening       | Assourdissant       | 2 | winter
whisper         | Murmure             | 1 | winter
"""
"""motif | French | gems | set"""

EVENTS = """
spring-fair     | Foire de printemps    | spring
snowmelt        | Fonte des neiges      | spring
young-crowd     | Jeune public          | spring
nesting-time    | Temps des nids        | spring
open-air-season | Saison en plein air   | summer
long-days       | Longues journées      | summer
contest-week    | Semaine des joutes    | summer
gem-fair        | Foire aux gemmes      | summer
crystal-harvest | Récolte de cristaux   | autumn
fireside-tales  | Contes au coin du feu | autumn
clear-air       | Air limpide           | autumn
harvest-hymn    | Hymne des récoltes    | autumn
frozen-river    | Rivière gelée         | winter
midwinter-carol | Noël du solstice      | winter
snowed-in       | Bloqués par la neige  | winter
drowsy-giants   | Géants assoupis       | winter
"""
"""event | French | season"""

MUSES = """
muse-of-banners | Muse des bannières
muse-of-beasts  | Muse des bêtes
muse-of-craft   | Muse du métier
muse-of-crowds  | Muse des foules
muse-of-pride   | Muse de l’orgueil
muse-of-stages  | Muse des scènes
muse-of-tales   | Muse des contes
muse-of-wealth  | Muse des richesses
"""
"""muse | French"""

STALLS = """
1 | V2 | C2
2 | C1 | A1
3 | M2 | A1 R1
4 | A1 | C3
5 | L4 | G1
6 | C4 | G1
"""
"""stall of the market track | cost | gain"""

LEVELS = """
I   | 2 | 4 | 1 | 4
II  | 4 | 6 | 1 | 6
III | 6 | 8 | 2 | 8
"""
"""level of a legend | river space of the boat, at least | lyrics | gems at once | most blue points at the end"""

QUARTERS = """
ur | 1 | C1
lr | 2 | V2
ll | 3 | MV1
ul | 2 | A1
"""
"""quarter of the dial, clockwise from the start | movement | bonus once both runes are gone"""

CRESTS = """
gem    | 2 | G1
coins  | 1 | C2
volume | 1 | V4
stones | 1 | A1 R1
"""
"""what captured crests are spent for | how many crests | gain"""
