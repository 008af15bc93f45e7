"""What begins with a word that may be a Chinese order, and speaks of something."""

from __future__ import annotations

import pytest

from molt.memory.engines import rules
from molt.memory.engines.verdict import NONE

TOLD = """
搜索结果缓存在 Redis 里
搜索结果每十分钟更新一次
下载链接在首页底部
下载链接过期了
更新脚本在 tools 目录里
更新脚本每天凌晨三点跑
部署环境有三个
安装包已经上传到网盘
打印机在二楼
办公室在三楼
交通费每月两百元
续航时间有八个小时
洗衣机在阳台上
合并请求需要两个人批准
分析报告在共享盘里
测试账号在文档里
查询接口不支持分页
编译产物在 build 目录
下载的文件在桌面上
介绍信在抽屉里
关闭按钮在右上角
换乘站在人民广场
发送频率是每天一次
搜索服务跑在 9200 端口
推送通知在夜里不响
计算机在书房
修车铺在桥头
送餐员已经换人了
还款日是每月五号
填表说明在背面
预约系统不支持退款
提交记录保留一年
回复率不到三成
更新频率是每周一次
更新说明写得太简单了
下载量已经超过一万
安装程序需要管理员权限
查询条件可以保存
合并策略是 squash
调试端口是 9229
推荐算法每晚重新训练
执行计划会被缓存
翻译公司在上海
回滚方案在维基里
更新脚本放在 tools 目录下面
总结会在周五
生成器用 Cog 写成
填写说明见附件
部署会在凌晨自动触发
下载器不支持断点续传
""".strip().splitlines()
ORDERED = """
搜索结果里的错别字
下载链接里的文件
删除有问题的记录
检查代码有没有问题
解释缓存是怎么工作的
总结这篇文章
运行测试
打开设置
列出大小是零的文件
推荐几本书
比较两个方案
安装依赖
检查服务已经启动
告诉我结果是什么
打开浏览器并登录
下载最新版本
检查所有可能的原因
查询用户的权限
搜索不在列表里的用户
关闭不需要的窗口
列出会议参与者
分析功能的优缺点
运行脚本，日志在 tmp 里
重新部署
推送到主分支
计算是否超预算
查询余额
上传没有水印的版本
部署已经测试过的版本
搜索不重复的词
删除已经过期的链接
优化会卡顿的页面
推荐不贵的耳机
列出需要审批的订单
列出都有谁参加
创建会议邀请
分析为什么失败
介绍有机化学
停止所有容器
检查磁盘有没有满
帮我订会议室
翻译文件要保持格式
生成密码要 16 位
下载所有图片都存到桌面
翻译这段话，要口语化
搜索能在上海参加的展会
检查邮箱有新邮件没
合并完成后删除分支
计算费用
安装器材
把标题调大一点
再看一遍第三段
对这个文件跑一下 lint
用五行总结一下附件
""".strip().splitlines()
ERRANDS = """
更新脚本里的版本号
修复登录页面不能提交的问题
通知小李明天不用来
回复客户说不能退款
联系物业问能不能换锁
""".strip().splitlines()


@pytest.mark.parametrize("text", TOLD)
def test_what_is_told_of_something_is_a_memory(text: str) -> None:
    verdict, _ = rules.judge_sentence(text)
    assert verdict.store != NONE
    assert verdict.why != "an errand"


@pytest.mark.parametrize("text", ORDERED)
def test_an_order_with_a_clause_of_its_own_is_an_order(text: str) -> None:
    verdict, _ = rules.judge_sentence(text)
    assert verdict.store == NONE


@pytest.mark.parametrize("text", ERRANDS)
def test_an_errand_with_a_clause_of_its_own_is_an_errand(text: str) -> None:
    verdict, _ = rules.judge_sentence(text)
    assert verdict.why == "an errand"
