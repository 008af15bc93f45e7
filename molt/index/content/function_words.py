"""Function words of the languages other than English whose words for days are known: what every
text of a language has, and nobody asks for.
"""

from __future__ import annotations

# Latin words stand without accents, which many people leave out.
_SAID = {
    "german": (
        "aber als am an auch auf aus bei beim bin bis das dass dem den denn der des die diese"
        " dieser dieses dir doch du durch ein eine einem einen einer es fur gab gibt habe"
        " haben hat hatte ich ihm ihn ihr ihre im in ist kann konnen man mein meine meinem"
        " meinen meiner mich mir mit muss nach nicht noch nur oder ohne sein seine sich sie"
        " sind so soll um und uns unser unsere vom von vor wann war waren warum was wegen"
        " welche welchem welchen welcher welches wem wen wer werden wessen wie wieso wird wo"
        " wofur woher wohin wurde wurden zu zum zur"
    ),
    "spanish": (
        "al ante aquel como con cual cuales cuando cuanta cuantas cuanto cuantos de del desde"
        " donde el ella ellos en entre era es esa ese esta estaba estan este esto fue fueron"
        " ha habia han hasta hay la las le les lo los me mi mis muy no nos nuestra nuestro o"
        " para pero por porque que quien quienes se ser si sin sobre son su sus te tiene"
        " tienen tu tus un una unas uno unos y ya yo"
    ),
    "french": (
        "a au aux avec avez avons ce ces cet cette chez combien comment d dans des du elle"
        " est et etaient etait eu fut il ils j je l laquelle lequel leur leurs lui ma mais mes"
        " moi mon n ne notre nous on ont ou par pas pour pourquoi qu quand quel quelle quelles"
        " quels qui quoi sa sans ses sont sur t-elle t-il toi ton une vos votre vous"
    ),
    "italian": (
        "agli ai alla alle che chi ci col come cosa cui da dai dal dalla degli dei della"
        " delle di dove e gli hanno ho i il io lei li loro ma mia mie mio ne nei nel nella"
        " nelle non per perche piu qual quale quali quando quanta quante quanti quanto questa"
        " questo sei sia siamo sono sua sul sulla suo suoi tra tua tuo vi"
    ),
    "portuguese": (
        "ao aos as com da das do dos ela ele em eu foi foram isso isto mais meu meus minha"
        " minhas na nao nas nos nossa nosso num numa onde os ou pela pelas pelo pelos quais"
        " qual quantas quantos quem sao sem seu seus sua suas tem teve um uma umas uns voce"
    ),
    "russian": (
        "а без был была были было в вам вас вы где для до его ее ей её за и из или им их к"
        " как какая какие какого какое какой каком когда кого кому который кто куда ли меня"
        " мне моего моей мой моя моё моём мы на над наш не него нее нет неё но о об он она они"
        " от откуда по под почему при про с сколько со так то ты у чего чем что чтобы это этот"
        " я"
    ),
}
GERMAN = frozenset(_SAID["german"].split())
ELSEWHERE = frozenset(word for said in _SAID.values() for word in said.split())
