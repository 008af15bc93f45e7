"""What is said of one thing is not said of another that stands beside it."""

from __future__ import annotations

import pytest

from molt.memory.reflect.evidence import borne

BAKERY = "Ines runs the bakery in Girona and her cousin Pau delivers the flour from Vic."
DRIVES = "The NAS has four 8 TB drives; the old Synology had two 4 TB drives and sits below."
SCRIPT = "The migration script ran for 47 minutes on staging and 3 hours on production."
RENT = "My landlord Viktor raised the rent from 910 to 960 euros as of June."
COUNCIL = "Helena chairs the works council; Bruno is its treasurer since 2024."
BOAT = "Gudrun sold the sailing boat to Magnus in Bergen for 23,000 kroner and kept the kayak."
PILLS = "I do not take ibuprofen, it upsets my stomach; paracetamol is fine."
SERVERS = "The Berlin server has 64 GB of memory, while the Paris server has 128 GB."
CHOICE = "We picked Grafana because Kibana was too heavy."
TOOLS = "The drill is due back on 12 March, the ladder on 19 March."
BIKES = "Petra owns the red bike, and the blue one belongs to Simon."
VANS = "Ida drives the black van and Nils drives the white one."
REPORTS = "Tim reads the daily reports and Rosa reads the weekly ones."
DRUMS = "Petra owns the snare. The bass drum is Simon's."
CLUB = "Hey John! Haven't talked in a few days, I joined a club! I am glad."
TEA = "老张在杭州开了一家茶馆，他的儿子在苏州读大学。"
MOVED = "陈芳从广州搬到了厦门，她的丈夫留在广州上班。"
DAY = "我早上跑步，晚上弹钢琴。"
SWIM = "周六上午十点在图书馆见王老师，下午三点去看牙医。"
MILK = "妹妹对猫毛过敏，我对海鲜过敏。"


@pytest.mark.parametrize(
    ("who", "claim", "said"),
    [
        ("Ines", "Ines runs a bakery in Vic", BAKERY),
        ("NAS", "the NAS has two 4 TB drives", DRIVES),
        ("migration", "the migration script took 47 minutes on production", SCRIPT),
        ("Viktor", "Viktor raised the rent to 910 euros", RENT),
        ("Bruno", "Bruno chairs the works council", COUNCIL),
        ("Gudrun", "Gudrun sold the kayak to Magnus in Bergen", BOAT),
        ("", "does not take paracetamol", PILLS),
        ("Berlin server", "the Berlin server has 128 GB of memory", SERVERS),
        ("Petra", "Petra owns the blue bike", BIKES),
        ("Simon", "Simon owns the red bike", BIKES),
        ("Ida", "Ida drives the white van", VANS),
        ("Tim", "Tim reads the weekly reports", REPORTS),
        ("Petra", "Petra owns the bass drum", DRUMS),
        ("Kibana", "We picked Kibana because Grafana was too heavy", CHOICE),
        ("老张", "老张在苏州开茶馆", TEA),
        ("陈芳", "陈芳从厦门搬到了广州", MOVED),
        ("", "早上弹钢琴", DAY),
        ("", "周六上午十点去看牙医", SWIM),
        ("妹妹", "妹妹对海鲜过敏", MILK),
        ("小李", "小李负责后端", "小李负责前端，小王负责后端。"),
    ],
)
def test_what_is_said_of_another_is_found(who: str, claim: str, said: str) -> None:
    assert borne.find_unborne(claim, (said,), who)


@pytest.mark.parametrize(
    ("who", "claim", "said"),
    [
        ("Ines", "Ines runs a bakery in Girona", BAKERY),
        ("Pau", "Pau delivers flour from Vic", BAKERY),
        ("NAS", "the NAS has four drives of 8 TB", DRIVES),
        ("migration", "the migration script took 3 hours on production", SCRIPT),
        ("Viktor", "Viktor raised the rent from 910 to 960 euros", RENT),
        ("Bruno", "Bruno has been the treasurer of the works council since 2024", COUNCIL),
        ("Gudrun", "Gudrun kept the kayak", BOAT),
        ("", "does not take ibuprofen because it upsets the stomach", PILLS),
        ("Paris server", "the Paris server has 128 GB of memory", SERVERS),
        ("Simon", "Simon owns the blue bike", BIKES),
        ("Simon", "the blue bike belongs to Simon", BIKES),
        ("Petra", "Petra owns the red bike", BIKES),
        ("Nils", "Nils drives the white van", VANS),
        ("Rosa", "Rosa reads the weekly reports", REPORTS),
        ("Simon", "Simon owns the bass drum", DRUMS),
        ("Grafana", "We picked Grafana because Kibana was too heavy", CHOICE),
        ("ladder", "the ladder is due back on 19 March", TOOLS),
        ("老张", "老张在杭州开茶馆", TEA),
        ("陈芳", "陈芳搬到了厦门", MOVED),
        ("", "晚上弹钢琴", DAY),
        ("", "周六下午三点去看牙医", SWIM),
        ("", "对海鲜过敏", MILK),
        ("Tim", "Tim: Haven't talked in a few days, I joined a club", CLUB),
    ],
)
def test_what_is_said_is_kept(who: str, claim: str, said: str) -> None:
    assert not borne.find_unborne(claim, (said,), who)


def test_one_memory_that_bears_it_out_is_enough() -> None:
    assert not borne.find_unborne(
        "Ines runs a bakery in Vic", (BAKERY, "Ines runs a bakery in Vic."), "Ines"
    )
