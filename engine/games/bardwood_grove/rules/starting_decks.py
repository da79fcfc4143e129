"""The bards of edition house-1 and their starting decks, as text tables."""

from __future__ import annotations

BARDS = """
bardbarian | Bardbare | electric-lute | Luth électrique | M2 V1 | war-whoop | Clameur | M2 | V2 | C1 | base
sword-dancer | Danseuse aux sabres | finger-cymbals | Cymbalettes | M1 L1 | whirl | Tourbillon | M1 V1 | T1 | V2 | base
wardrummer | Tambour-major | war-drum | Tambour de guerre | M1 L1 V1 | rimshot | Coup de cercle | M1 L1 | V3 | T1 | base
piper | Sonneuse | bagpipes | Cornemuse | M1 L1 | drone-note | Note de bourdon | A1 | A1 | V2 | base
harper | Harpiste | harp | Harpe | L2 | glissando | Glissando | L1 V1 | MV2 | A1 | spring
flautist | Flûtiste | flute | Flûte | M1 V1 | trill | Trille | M1 V1 | R1 | V2 | summer
lutenist | Luthiste | lute | Luth | L1 C1 | strum | Gratté | M1 L1 | C1 | V2 | autumn
fiddler | Violoneux | fiddle | Violon | M1 L1 | pizzicato | Pizzicato | X1 V1 | T1 | C1 | winter
"""
"""bard | French | instrument | French | each Sing phase | Impro | French | gives | Super fan side 1 | side 2 | set"""

BASIC_SKILLS = """
bardbarian   | battle-cry        | Cri de bataille          | M1    | 1 | M1    | V1 T2
bardbarian   | headbang          | Crinière au vent         | M1    | 2 | M2    | V2 T1
bardbarian   | rough-chorus      | Chœur rauque             | M1 L1 | - | -     | V2 T1
bardbarian   | war-story         | Récit de guerre          | L1    | 1 | L1    | V1 T2
bardbarian   | big-boast         | Grosse vantardise        | L1    | 2 | L2    | V3 T1
bardbarian   | mead-money        | Sous pour l’hydromel     | C1    | 1 | M1    | V2 T2
sword-dancer | first-step        | Premier pas              | M1    | 1 | M1    | V1 T2
sword-dancer | sword-verse       | Vers du sabre            | L1    | 1 | L1    | V1 T2
sword-dancer | twin-blades       | Lames jumelles           | M1 L1 | - | -     | V2 T2
sword-dancer | quick-reel        | Reel rapide              | M2    | - | -     | V2 T1
sword-dancer | veiled-words      | Mots voilés              | L2    | - | -     | V2 T1
sword-dancer | thrown-coins      | Pièces lancées           | C1    | 2 | M1 L1 | V3 T1
wardrummer   | steady-beat       | Battement régulier       | M1    | 1 | M1    | V2 T1
wardrummer   | thunder-roll      | Roulement de tonnerre    | M1    | 2 | M2    | V3 T1
wardrummer   | marching-words    | Paroles de marche        | L1    | 1 | L1    | V2 T2
wardrummer   | roll-call         | Appel des troupes        | L1    | 2 | L2    | V3 T1
wardrummer   | drum-and-voice    | Tambour et voix          | M1 L1 | - | -     | V1 T2
wardrummer   | soldiers-pay      | Solde                    | C1    | 1 | L1    | V1 T2
piper        | low-drone         | Bourdon grave            | M1    | 1 | M1    | V1 T2
piper        | high-reel         | Reel aigu                | M2    | - | -     | V1 T1
piper        | lament            | Lamentation              | M1    | 2 | L2    | V2 T1
piper        | lullaby           | Berceuse                 | L1    | 1 | L1    | V2 T2
piper        | hill-call         | Appel des collines       | L1    | 1 | M1    | V2 T1
piper        | wedding-fee       | Cachet de noces          | C1    | 1 | M1    | V2 T2
harper       | soft-verse        | Vers doux                | L1    | 1 | L1    | V1 T2
harper       | golden-string     | Corde d’or               | L1    | 2 | L2    | V2 T1
harper       | hall-song         | Chant de la grande salle | M1 L1 | - | -     | V2 T1
harper       | river-air         | Air de la rivière        | M1    | 1 | M1    | V1 T2
harper       | cascade           | Ruissellement            | M1    | 2 | M2    | V3 T1
harper       | royal-purse       | Bourse royale            | C1    | 1 | L1    | V2 T2
flautist     | bird-call         | Appel d’oiseau           | M1    | 1 | L1    | V1 T2
flautist     | whispered-tale    | Conte chuchoté           | L1    | 1 | M1    | V1 T2
flautist     | long-breath       | Long souffle             | M1 L1 | - | -     | V2 T1
flautist     | wind-song         | Chant du vent            | M1    | 2 | M2    | V2 T1
flautist     | two-tongues       | Double coup de langue    | L2    | - | -     | V2 T1
flautist     | market-tune       | Air du marché            | C1    | 1 | L1    | V2 T2
lutenist     | courtly-line      | Vers courtois            | L1    | 1 | L1    | V1 T2
lutenist     | plucked-tune      | Air pincé                | M1    | 1 | M1    | V1 T2
lutenist     | answering-strings | Cordes en réponse        | L1    | 2 | M2    | V2 T1
lutenist     | garden-duet       | Duo du jardin            | M1 L1 | - | -     | V2 T1
lutenist     | open-chords       | Accords ouverts          | M2    | - | -     | V3 T1
lutenist     | patrons-gift      | Don du mécène            | C1    | 1 | M1    | V2 T2
fiddler      | bow-stroke        | Coup d’archet            | M1    | 1 | M1    | V1 T2
fiddler      | sly-jig           | Gigue rusée              | M1    | 1 | L1    | V2 T2
fiddler      | mocking-verse     | Vers moqueur             | L1    | 1 | L1    | V1 T2
fiddler      | barn-dance        | Bal de grange            | M1 L1 | - | -     | V2 T1
fiddler      | double-talk       | Double langage           | L1    | 2 | L2    | V2 T1
fiddler      | devils-wager      | Pari du diable           | C1    | 2 | M2    | V3 T1
"""
"""bard | Skill | French | upper half | volume cost | lower half | discard strip"""
