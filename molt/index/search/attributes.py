"""What notes call by another word than questions do: where somebody lives, a profile has as an
address.
"""

from __future__ import annotations

from molt.index.content import signs, words
from molt.values import keep_last

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_ASKED: tuple[tuple[str, str], ...] = (
    ("live | lives | living | reside", "location | based | address | residence | located"),
    ("birthday | date of birth | born", "birthday | born"),
    ("called | nickname | address me", "name | call"),
    ("married | wife | husband | spouse", "wife | husband | spouse | married"),
    ("job | profession | occupation | employer", "role | title | company | employer"),
    ("reach | contact | get hold of", "phone | email | telegram | whatsapp | contact"),
    ("phone number | telephone", "phone | cell | mobile"),
    ("cost | costs | price | charge | pay", "price | cost | fee | rate | paid"),
    ("hate | hates | dislike | dislikes", "avoid | never | dislikes"),
    ("enjoy | hobby | hobbies | free time", "interests | hobbies | prefers | loves"),
    ("study | studied | college | university | degree", "university | college | degree"),
    ("how old | age", "born | age"),
    ("may i | can i | may we | am i allowed | is it ok", "never | permission | approval | allowed"),
    ("responsible | in charge | looks after", "owner | lead | responsible | managed"),
    ("own | owns | belong to | belongs to", "owner | owned | ownership"),
    ("earn | earns | salary", "income | salary | revenue | pay"),
    ("what time | how often | each day | every day", "daily | every | schedule | cron"),
    ("住在 | 住哪 | 家在", "地址 | 位置 | 所在 | 常住 | location"),
    ("生日 | 出生", "生日 | 出生"),
    ("叫什么 | 怎么称呼 | 名字", "称呼 | 名字 | 姓名 | 名称 | name"),
    ("老婆 | 妻子 | 老公 | 丈夫", "妻子 | 丈夫 | 配偶 | 老婆"),
    ("做什么工作 | 职业 | 上班", "职业 | 职位 | 公司"),
    ("怎么联系 | 联系方式", "电话 | 邮箱 | 微信 | 飞书"),
    ("多少钱 | 价格 | 成本", "价格 | 费用 | 成本"),
    ("讨厌 | 不喜欢", "避免 | 不要 | 忌讳"),
    ("爱好 | 喜欢什么", "爱好 | 喜好 | 偏好"),
    ("上学 | 读书 | 毕业", "大学 | 学院 | 专业"),
    ("多大年纪 | 几岁", "年龄 | 出生"),
    ("可以 | 能不能 | 允许", "禁止 | 不要 | 必须 | 批准"),
    ("谁负责 | 负责人", "负责 | 主管"),
    ("几点 | 多久一次 | 每天", "每天 | 每日 | 定时"),
    ("性格", "风格 | 人设 | 气质 | vibe"),
    ("座右铭 | 口号", "座右铭 | 口号 | motto"),
    ("时区", "timezone"),
    ("赚了 | 赚多少 | 挣", "收入 | 盈利 | 收益 | 利润"),
    ("网关", "gateway"),
    ("心跳", "heartbeat"),
    ("插件", "plugin"),
    ("技能", "skill"),
    ("子代理", "subagent | sub agent"),
    ("定时任务", "cron"),
    ("令牌", "token"),
    ("崩了 | 崩溃 | 断了 | 挂了", "崩溃 | 断连 | 断开 | 故障 | 宕机"),
    ("wohnt | wohnen | lebt", "wohnort | wohnsitz | adresse | lebt"),
    ("geburtstag | geboren", "geburtstag | geboren"),
    ("verheiratet | ehemann | ehefrau", "ehemann | ehefrau | partner | partnerin"),
    ("arbeitet | beruf", "beruf | firma | rolle"),
    ("gehört", "eigentümer | inhaber | besitzer"),
    ("zuständig | verantwortlich", "zuständig | verantwortlich | leitung"),
    ("ansprechpartner | erreiche ich | erreicht man", "kontakt | ansprechpartner | telefon"),
    ("kostet | kosten | preis", "preis | kosten | honorar | gebühr"),
    ("darf ich | dürfen wir", "nie | niemals | verboten | freigabe"),
    ("wie oft | um wie viel uhr", "täglich | jeden | wöchentlich | cron"),
    ("vive | viven | vivo", "dirección | domicilio | ubicación"),
    ("cumpleaños | nació", "cumpleaños | nacimiento"),
    ("casado | casada | esposa | marido", "esposa | esposo | marido | pareja"),
    ("trabaja | trabajo", "empresa | puesto | cargo"),
    ("dueño | pertenece", "dueño | propietario"),
    ("responsable | encargado", "responsable | encargado"),
    ("contactar | contacto | localizar", "contacto | teléfono | correo"),
    ("cuesta | cuestan | precio", "precio | costo | coste | tarifa"),
    ("puedo | podemos", "nunca | permiso | prohibido | autorización"),
    ("a qué hora | cada cuánto", "diario | diariamente | cada | cron"),
    ("habite | vit", "adresse | domicile"),
    ("anniversaire | né | née", "anniversaire | naissance"),
    ("marié | mariée | femme | mari", "femme | mari | épouse | conjoint"),
    ("travaille", "entreprise | poste | rôle"),
    ("appartient", "propriétaire"),
    ("contacter | joindre", "contact | téléphone | courriel"),
    ("coûte | coûtent | prix", "prix | coût | tarif"),
    ("puis je | peut on", "jamais | permission | interdit"),
    ("à quelle heure | combien de fois", "quotidien | chaque | cron"),
)
"""How a question names an attribute, and how notes name it; in small letters, simplified signs."""

_RULES = (
    *("may i ", "may we ", "can i ", "can we ", "am i allowed", "are we allowed", "must i "),
    *("do i need", "do i have to", "should i ", "should we ", "how do i ", "how do we ", "how to "),
    *(
        "how should i ",
        "what do i have to ",
        "what should i ",
        "is it ok",
        "darf ich ",
        "wie soll ",
    ),
    *("¿puedo ", "¿debo ", "puis-je ", "posso "),
)
"""How a question begins that asks what is allowed, or how something is done."""
_RULES_ZH = (
    "可以",
    "能不能",
    "可不可以",
    "应该",
    "应不应该",
    "要不要",
    "必须",
    "怎么",
    "如何",
    "允许",
)


def asks_rule(query: str) -> bool:
    """Whether a query asks what is allowed or how something is done, which rules tell."""
    low = words.fold_text(query).lower()
    return low.startswith(_RULES) or (not low.isascii() and any(one in low for one in _RULES_ZH))


@keep_last
def list_other_words(query: str) -> tuple[str, ...]:
    """The words under which notes have the attribute that a query asks for; those that the query
    has itself are left out.
    """
    flat = f" {' '.join(_flatten(query).split())} "
    said: dict[str, None] = {}
    for asked, told in _ASKED:
        if any(_has_words(flat, one) for one in asked.split(" | ")):
            said.update(dict.fromkeys(told.split(" | ")))
    return tuple(one for one in said if not _has_words(flat, one))


def find_fields(query: str) -> re.Pattern[str] | None:
    """What a row looks like that has as a field (`Location: Paris`, `| Location | Paris |`) what a
    query asks for by another word; None for one that asks for nothing that notes call otherwise.
    """
    told = list_other_words(query)
    if not told:
        return None
    import re

    look = rf"[\s\-*+|]*(?:{'|'.join(map(re.escape, told))})\**\s*(?:[:：]|\|\s*\S)"
    return re.compile(look, re.IGNORECASE)


def _flatten(query: str) -> str:
    return "".join(char if char.isalnum() else " " for char in words.fold_text(query).lower())


def _has_words(flat: str, said: str) -> bool:
    # Nearly all are not there at all.
    return said in flat and (f" {said} " in flat or signs.has_unspaced(said))
