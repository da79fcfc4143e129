"""The advanced Skills, Impros and Fans of edition house-1, as text tables."""

from __future__ import annotations

SKILLS = """
bright-chorus   | Chœur éclatant           | M2    | 1 | M1     | V2 T2 | base
rolling-refrain | Refrain roulant          | L2    | 1 | L1     | V2 T2 | base
power-chord     | Accord puissant          | M3    | - | -      | V2 T1 | base
spoken-verse    | Vers parlé               | L3    | - | -      | V2 T1 | base
harmony         | Harmonie                 | M1 L1 | 2 | M1 L1  | V3 T1 | base
passing-the-hat | Passage du chapeau       | C1    | 1 | C2     | V2 T1 | base
crescendo       | Crescendo                | M1    | 2 | M3     | V1 T2 | base
tall-tale       | Histoire à dormir debout | L1    | 2 | L3     | V1 T2 | base
resonance       | Résonance                | M1 A1 | 2 | L2     | V2 T1 | base
street-ballad   | Ballade des rues         | L1 C1 | 1 | M1     | V3 T1 | base
marching-tune   | Marche gaillarde         | M2 L1 | - | -      | V1 T2 | base
fireside-yarn   | Veillée                  | M1 L2 | - | -      | V1 T2 | base
dawn-song       | Chant de l’aube          | L1    | 1 | L1 MV2 | V2 T2 | spring
sapling-waltz   | Valse des jeunes pousses | M2    | 2 | M2     | V3 T1 | spring
buskers-jig     | Gigue du saltimbanque    | C2    | - | -      | V2 T2 | spring
festival-anthem | Hymne du festival        | M1 L1 | 3 | M2 L2  | V2 T1 | summer
echo-call       | Appel de l’écho          | M1 R1 | 1 | M2     | V2 T2 | summer
sunny-limerick  | Limerick ensoleillé      | L2    | 2 | L2     | V3 T1 | summer
harvest-round   | Canon des moissons       | L1 C1 | 2 | L2     | V2 T2 | autumn
falling-cadence | Cadence descendante      | M2    | 1 | M1 T-1 | V1 T2 | autumn
old-saga        | Vieille saga             | L2    | 1 | L1 MV1 | V2 T1 | autumn
hush            | Silence                  | V3    | 1 | M2     | V4 T1 | winter
northern-dirge  | Complainte du nord       | M1 A1 | 2 | M2     | V2 T1 | winter
solstice-hymn   | Hymne du solstice        | L1 A1 | 2 | L2     | V2 T1 | winter
"""
"""Skill | French | upper half | volume cost | lower half | discard strip | set"""

IMPROS = """
riff            | Riff               | M2     | base
rhyme           | Rime               | L2     | base
call-and-answer | Appel et réponse   | M1 L1  | base
tip-jar         | Pot à pourboires   | M1 C1  | base
toast           | Toast              | L1 C1  | base
drum-roll       | Roulement          | V3     | base
stomp           | Coup de talon      | M1 V1  | base
shout           | Cri                | L1 V1  | base
feedback        | Larsen             | A1 V1  | base
merch-table     | Étal de souvenirs  | C2     | base
whistle         | Sifflement         | M1 R1  | base
yodel           | Yodel              | L1 R1  | base
river-verse     | Vers de la rivière | L1 MV2 | spring
free-form       | Forme libre        | X2     | spring
small-change    | Menue monnaie      | C1 V1  | spring
overtone        | Harmonique         | M1 A1  | summer
long-echo       | Long écho          | R2     | summer
ferry-rhyme     | Rime du bac        | L1 MV1 | summer
undertone       | Sous-entendu       | L1 A1  | autumn
encore-cry      | Bis                | V2 C1  | autumn
row-song        | Chant des rameurs  | M1 MV1 | autumn
frost-chime     | Carillon de givre  | A1 C1  | winter
avalanche       | Avalanche          | V4     | winter
open-tuning     | Accordage ouvert   | X2 V1  | winter
"""
"""Impro | French | gives | set"""

FANS = """
coin-tosser  | Lanceur de pièces | C1     | V2  | base
loud-cousin  | Cousin bruyant    | V3     | A1  | base
jeweller     | Joaillière        | C1     | A1  | base
pathfinder   | Éclaireuse        | V2     | R1  | base
clapper      | Applaudisseur     | T1     | C1  | base
ferryman     | Passeur           | MV2    | V2  | base
glass-singer | Joueuse de verres | A1     | V2  | base
timekeeper   | Gardien du temps  | C1     | T1  | base
dockhand     | Docker            | V3     | MV2 | base
courier      | Coursière         | R1     | C1  | base
river-maid   | Fille du fleuve   | A1     | MV2 | base
foot-tapper  | Tapeur de pied    | V2     | T1  | base
florist      | Fleuriste         | C1 V1  | A1  | spring
raft-boy     | Garçon du radeau  | MV2    | C1  | spring
scout        | Guetteur          | R1 V1  | V2  | spring
patron       | Mécène            | C2     | T1  | summer
heckler      | Chahuteur         | V3     | R1  | summer
dancer       | Danseur           | A1     | T1  | summer
harvest-hand | Moissonneuse      | C1 MV1 | V3  | autumn
messenger    | Messager          | R2     | C1  | autumn
angler       | Pêcheur           | A1 V1  | MV2 | autumn
snow-shouter | Crieur des neiges | V4     | A1  | winter
pedlar       | Colporteur        | C1 R1  | T1  | winter
hermit       | Ermite            | A1 R1  | C1  | winter
"""
"""Fan | French | side 1 | side 2 | set"""
