/** Strings that a page must show as text, even if they are valid markup, scripts, styles, addresses or templates. */
const payloads = [
  '<script>alert(1)</script>',
  '<script src=//x.invalid/x.js></script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<body onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<iframe src="javascript:alert(1)">',
  '<a href="javascript:alert(1)">x</a>',
  '<form action="https://x.invalid"><button>Sign in</button></form>',
  '<input autofocus onfocus=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
  '<style>body{display:none}</style>',
  '<link rel=stylesheet href=//x.invalid>',
  '<base href="https://x.invalid/">',
  '<meta http-equiv="refresh" content="0;url=https://x.invalid">',
  '<object data="javascript:alert(1)">',
  '<template><script>alert(1)</script></template>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<<SCRIPT>alert(1);//<</SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  String.raw`\u003cimg src=x onerror=alert(1)\u003e`,
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;img src=x onerror=alert(1)&#62;',
  '&amp;lt;b&amp;gt;',
  'javascript:alert(1)',
  "' onmouseover='alert(1)",
  '" onmouseover="alert(1)',
  '` onmouseover=`alert(1)',
  '" style="position:fixed;inset:0',
  '{{constructor.constructor("alert(1)")()}} <%= 1 %> #{1}',
] as const;

/** Prefixes that close the surrounding context: plain text, an attribute, a text area, a title or an option. */
const closings = ['', '">', "'></textarea></title></option></select>"] as const;

/** More than a hundred distinct hostile strings. */
export const hostile: readonly string[] = closings.flatMap((closing) => payloads.map((payload) => closing + payload));
