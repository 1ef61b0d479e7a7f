-- rules_zh.sql - the Chinese rules of the message classifier. See rules_en.sql for how rules read.
-- Chinese has no spaces: there are no word boundaries here, and the lists lean on whole clauses.

-- Units of approval.
INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Affirmation', NULL, '(?:好的?|好呀|好啊|好吧|好嘞|好滴|行|行吧|行的|可以|可以的|可以了|没问题|没毛病|没错|对|对的|对了|是|是的|是啊|嗯+|嗯嗯|嗯好|哦|噢|ok|确认|确定|同意|批准|通过|收到|明白|明白了|了解|知道了|懂了|当然|妥|妥了|中|得|成|成了|搞定|搞定了|完事|就这样|就这样吧|就这么办|(?:这样|这么|那)(?:就|也)?(?:行|可以|好)(?:了)?)(?:吧|呀|啊|哦|的|啦|呢|哈|了)?', 1, 'zh', 'builtin'),
('Affirmation', NULL, '(?:(?:这个|这样|那个|都|很|非常|太|真|真是|挺|特别|简直|相当|已经|现在|这次|终于|看起来|效果|做得|干得|写得|弄得|改得)*)(?:完美|很好|不错|棒|赞|太好了|好极了|厉害|牛|牛逼|牛批|优秀|漂亮|满意|好用|好看|成功|正常|没问题|喜欢|给力|到位|强|好)(?:了|啊|呀|的|极了|工作)?', 1, 'zh', 'builtin'),
('Affirmation', NULL, '(?:非常|多|太|十分|万分)?(?:感谢|谢谢|谢了|谢啦|多谢|感恩|辛苦了|辛苦|谢)(?:你|您|啦|了|老师|大佬|帮助|帮忙|你的帮助)*', 1, 'zh', 'builtin');

-- Orders, wishes and defects.
INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Modification', NULL, '^(?:好的?|那|行|嗯|ok|然后|再|先|请|麻烦|你|现在|接着|另外|还有|直接|帮我|帮忙|给我|谢谢)*(?:把|将|改|加|换|删|去掉|去除|增加|添加|调整|修改|修复|优化|移动|设置|用|使用|做|写|生成|创建|更新|重新|重来|重做|继续|接着|往下|提交|推送|部署|安装|运行|测试|试试|检查|保存|保留|回滚|恢复|撤销|放|让|按照|按|参考|整理|补充|翻译|打包|上传|下载|启动|重启|开始)', 2.25, 'zh', 'builtin'),
('Modification', NULL, '(?:能不能|能否|可不可以|可以帮|可否|麻烦|请|帮我|帮忙|需要|希望|想要|我要|我想(?!知道|问|了解)|应该|必须|不要|别|改成|换成|改为|最好)', 1.25, 'zh', 'builtin'),
('Modification', NULL, '(?:报错|错误|出错|失败|不行|不对|没用|无效|没有(?:反应|变化|显示|生效|效果|成功)|不显示|打不开|还是(?:不|没|一样|有|老|报)|仍然|崩溃|卡住|卡死|缺少|少了|丢了|太(?:大|小|长|短|慢|丑|难看|多|少|宽|窄|高|低|暗|亮)|有(?:个|点)?(?:问题|bug)|但是|不过|只是|除了)', 1.75, 'zh', 'builtin'),
('Confirmation', NULL, '(?:但是|不过|只是|可是|还有|另外|除了|请|帮我|接下来|接着|再|不要|改|加|能不能|继续|往下)', -2, 'zh', 'builtin');

-- Wishes for information.
INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Clarification', NULL, '(?:为什么|为啥|为何|怎么(?!办)|怎样|如何|什么|啥|哪个|哪些|哪里|哪儿|哪种|哪一|谁|何时|什么时候|多少|多久|多大|几个|是不是|有没有|会不会|是否|能不能用|需不需要|要不要|算不算|对不对|对吗|是吗|好吗|行吗|可以吗|吗$|吗\?|么\?|呢\?|呢$)', 2.75, 'zh', 'builtin'),
('Clarification', NULL, '(?:解释|说明一下|讲讲|讲一下|介绍一下|告诉我|说说|什么意思|啥意思|不懂|不明白|没看懂|想知道|想问|请问|问一下|了解一下|给我看看|列出|进度|到哪(?:了|一步)|完成了吗|好了吗|有问题吗|怎么回事|怎么看|建议呢|区别|原理)', 2.25, 'zh', 'builtin'),
('Clarification', 'PendingComplete', '(?:为什么|为啥|怎么)(?:这么|那么|还|不|没|会|老|总|一直)', -2, 'zh', 'builtin'),
('Clarification', NULL, '(?:你为什么|你为啥|你怎么|你是不是|你有没有|你在(?:干|做)(?:什么|啥|嘛)|你确定|你能看)', 1.5, 'zh', 'builtin');

-- Approval of finished work.
INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Confirmation', 'PendingComplete, Running, Interrupted, None', '(?:(?:可以|能|好)(?:用|了|使了)(?!吗|么|\?)|成功了|解决了|正常了|没问题了|搞定了|就是(?:这样|我想要的)|非常(?:好|满意|完美)|太(?:棒|好|完美|强)了|做得(?:很|非常|真)?好|干得漂亮)', 3, 'zh', 'builtin'),
('Confirmation', 'PendingComplete', '\A(?:不用了|没有了|没了|没别的了?|没有其他(?:的|问题)?了?|不需要了|暂时没有|没有|没事了|就这些|够了|不了|不用)(?:[ \n]*(?:谢谢|感谢|多谢)[^\n]*)?\z', 4, 'zh', 'builtin'),
('Confirmation', 'PendingComplete, Running', '(?:谢谢|感谢|多谢|辛苦)', 1, 'zh', 'builtin'),
('Confirmation', 'PendingComplete', '(?:再见|拜拜|晚安|明天见|下次见|是我(?:弄|看|搞)错了|我的问题|误会)', 2.5, 'zh', 'builtin');

-- Dropping the task.
INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('Abandon', NULL, '\A(?:好的?|那|那就|嗯|哎|唉|不|先|还是|\n)*(?:(?:停|停下|停下来|停止|停一下|停停|别做了|别弄了|别搞了|别改了|不做了|不弄了|不搞了|不要了|不用了|不必了|不需要了|不用做了|不用弄了|取消|取消吧|取消任务|算了|算了吧|放弃|放弃吧|终止|中止|结束|结束吧|到此为止|就到这(?:里|儿)?|够了|作罢|当我没说|退出|别管了?|不管了)(?:吧|了|啦|谢谢)*(?:\n|\z)){1,4}\z', 7, 'zh', 'builtin'),
('Abandon', NULL, '^(?:好的?|那|那就|嗯|哎|唉|还是|先)*(?:算了|不做了|不弄了|不搞了|不用了|不必了|不需要了|取消(?:这个)?(?:任务|吧)|放弃|当我没说|别弄了|别做了|别搞了)', 5, 'zh', 'builtin'),
('Abandon', NULL, '(?:以后再(?:说|弄|做)|下次再(?:说|弄)|不需要(?:这个|它)?了|用不(?:着|上)了|已经(?:弄|做|搞|解决|处理|找到|有)\S{0,4}了|早就\S{0,6}了|我自己(?:来|弄|做|搞)|没必要了|浪费时间)', 2.5, 'zh', 'builtin'),
('Abandon', NULL, '(?:改成|换成|重来|重新|而是|为什么|怎么|应该|先把|直接用)', -2, 'zh', 'builtin');

-- Something else, and nothing to go on.
INSERT INTO #message_rules(class, state, pattern, weight, lang, origin) VALUES
('NewTask', NULL, '(?:^(?:好的?|行|嗯|那|谢谢|多谢)*(?:新(?:的)?(?:任务|问题|需求|话题|项目)|另一(?:个|件)(?:事|问题|任务|话题|项目)|换个(?:话题|任务|问题)|下一个(?:任务|问题|话题|需求)|另外(?:一件事|一个问题)|(?:还有)?别的事|不相关|说点别的|我们来(?:聊|做|看)(?:另|别)))', 8, 'zh', 'builtin'),
('NewTask', NULL, '(?:(?:接下来|下面|现在)(?:我)?(?:们)?(?:打算|准备|想|要)(?:做|给|开始|写|弄|搞)|不管(?:它|他|这个|那个)了)', 4.5, 'zh', 'builtin'),
('NewTask', NULL, '^(?:好的?|那|行|嗯|然后|现在|请|你|帮我|给我|帮忙|再|我想|我要|我需要|\n)*(?:写|做|开发|设计|创建|生成|新建|搭建|实现|制作|翻译|准备)(?:一个|个|一份|一套|一篇|一段|新的)', 2.5, 'zh', 'builtin'),
('NewTask', 'PendingComplete', '(?:这个|这里|那个|它|也|还|再|上面|刚才|刚刚|之前|里面|继续|同样)', -1, 'zh', 'builtin'),
('Unclear', NULL, '\A(?:你好|在吗|在不在|喂|哈+|呃|额|测试|误触|按错了|点错了|发错了)\??\z', 5, 'zh', 'builtin');
