"""The words that tell Chinese sentences apart, in simplified signs."""

from __future__ import annotations

from molt.memory.engines import tables

_TABLE = tables.load("zh")

TRADITIONAL = str.maketrans(
    "們個這請對時間後開會從說話語氣體簡複來給過還沒學習問題種處應該決買車張劉陳楊趙黃孫馬蘇葉"
    "羅龍吳爲為與於國電腦網絡資訊庫據錄檔環變數測試執運發佈項專業務員經負責領導設計師醫護歲養"
    "貓萬記憶讓談飯歡討厭愛樂難緊擔憂憤傷興選擇採納準備約見貨單帳號碼鑰證駕駛簽門診動態當現場"
    "邊東幾點嗎麼樣裡裏嘗總結譯寫讀聽顯圖標無論須將並節產壞壓縮錯誤訂遲鐵機飛價錢費預實際剛纔"
    "換關閉啟連鏈頭構術隊組織擁屬類級別職辭聯繫藥劑陽陰歷頁麵續週內層樓賬戶親媽爺嬸戀寶貝煩惱"
    "勞睏覺雙雜兩億條輯驗勝慣輸郵筆稱賓樹減嚴謝啞",
    "们个这请对时间后开会从说话语气体简复来给过还没学习问题种处应该决买车张刘陈杨赵黄孙马苏叶"
    "罗龙吴为为与于国电脑网络资讯库据录档环变数测试执运发布项专业务员经负责领导设计师医护岁养"
    "猫万记忆让谈饭欢讨厌爱乐难紧担忧愤伤兴选择采纳准备约见货单帐号码钥证驾驶签门诊动态当现场"
    "边东几点吗么样里里尝总结译写读听显图标无论须将并节产坏压缩错误订迟铁机飞价钱费预实际刚才"
    "换关闭启连链头构术队组织拥属类级别职辞联系药剂阳阴历页面续周内层楼账户亲妈爷婶恋宝贝烦恼"
    "劳困觉双杂两亿条辑验胜惯输邮笔称宾树减严谢哑",
)
ORDERED = (
    ("首先", "然后"),
    ("先", "再"),
    ("先", "然后"),
    ("第一步", "第二步"),
    ("1.", "2."),
    ("1、", "2、"),
    ("①", "②"),
    ("一是", "二是"),
    ("先", "接着"),
    ("先", "最后"),
)

POLITE = _TABLE.split_cues("polite")
CHATTER = _TABLE.split_cues("chatter")
ASKING = _TABLE.split_cues("asking")
LATE_ASKING = _TABLE.split_cues("late_asking")
ORDERS = _TABLE.split_cues("orders")
FINITE = _TABLE.split_cues("finite")
NO_VERBS = _TABLE.split_cues("no_verbs")
CLAUSE_VERBS = _TABLE.split_names("clause_verbs")
NAMED_AFTER = _TABLE.split_cues("named_after")
NO_NAMING = _TABLE.split_signs("no_naming")
NO_OBJECTS = _TABLE.split_cues("no_objects")
INSIDE = _TABLE.split_cues("inside")
FORGETTING = _TABLE.split_cues("forgetting")
SECRETS = _TABLE.split_cues("secrets")
VAULT = _TABLE.split_cues("vault")
DOCUMENTS = _TABLE.split_cues("documents")
DOCUMENT_SAID = _TABLE.split_cues("document_said")
CORRECTION_STARTS = _TABLE.split_cues("correction_starts")
CORRECTIONS = _TABLE.split_cues("corrections")
TASKS = _TABLE.split_cues("tasks")
WEAK_TASKS = _TABLE.split_cues("weak_tasks")
TASK_VERBS = _TABLE.split_cues("task_verbs")
DEADLINES = _TABLE.split_cues("deadlines")
STANDING = _TABLE.split_cues("standing")
STANDING_STARTS = _TABLE.split_cues("standing_starts")
MEDICAL = _TABLE.split_cues("medical")
OWN = _TABLE.split_cues("own")
IDENTITY = _TABLE.split_cues("identity")
PROFESSIONS = _TABLE.split_cues("professions")
CONTEXT = _TABLE.split_cues("context")
GOING_ON = _TABLE.split_cues("going_on")
NOUN_ENDS = _TABLE.split_signs("noun_ends")
NO_NOUN_ENDS = _TABLE.split_cues("no_noun_ends")
SAID_OF = _TABLE.split_cues("said_of")
MADE_WITH = _TABLE.split_cues("made_with")
DECISIONS = _TABLE.split_cues("decisions")
FEELINGS = _TABLE.split_cues("feelings")
LIKINGS = _TABLE.split_cues("likings")
LIKERS = _TABLE.split_cues("likers")
TIMES = _TABLE.split_cues("times")
FIRM_TIMES = _TABLE.split_cues("firm_times")
HABITS = _TABLE.split_cues("habits")
EVENTS = _TABLE.split_cues("events")
STEPS = _TABLE.split_cues("steps")
CONDITIONS = _TABLE.split_cues("conditions")
STEP_VERBS = _TABLE.split_cues("step_verbs")
SURNAMES = _TABLE.split_signs("surnames")
COMPOUND = _TABLE.split_cues("compound")
NO_NAMES = _TABLE.split_cues("no_names")
FOLLOWERS = _TABLE.split_signs("followers")
KIN = _TABLE.split_cues("kin")
TITLES = tuple(sorted(_TABLE.split_cues("titles"), key=len, reverse=True))
ORGANIZATION_ENDS = _TABLE.split_cues("organization_ends")
OFFICES = _TABLE.split_cues("offices")
SPOTS = _TABLE.split_names("spots")
STORING = _TABLE.split_cues("storing")
COMMON_THINGS = _TABLE.split_cues("common_things")
DEFINED_AS = _TABLE.split_cues("defined_as")
ROLE_ENDS = _TABLE.split_cues("role_ends")
GONE_LIVE = _TABLE.split_cues("gone_live")
HEADING = _TABLE.split_cues("heading")
STAYING = _TABLE.split_cues("staying")
TECHNICAL = _TABLE.split_cues("technical")
DEFINING = _TABLE.split_cues("defining")
USING = _TABLE.split_cues("using")
DEPENDING = _TABLE.split_cues("depending")
BELONGING = _TABLE.split_cues("belonging")
REPLACING = _TABLE.split_cues("replacing")
DEVELOPING = _TABLE.split_cues("developing")
PEOPLE = _TABLE.split_cues("people")
TOOL_NOUNS = _TABLE.split_cues("tool_nouns")
PROJECT_NOUNS = _TABLE.split_cues("project_nouns")
NO_LATIN = _TABLE.split_words("no_latin")
VERBS = _TABLE.split_cues("verbs")
PRONOUNS = _TABLE.split_cues("pronouns")
LEADS = _TABLE.split_cues("leads")
