/**
 * Internal addresses in every notation that some parser accepts. Unless they are allowed, the sandbox must neither store nor connect to
 * them.
 */

/** IP literals for this machine. If a filter misses one, the call may reach the canary on 127.0.0.1. */
const loopbackHosts = `
  127.0.0.1 127.0.0.1. 127.1 127.0.1 127.8.9.10 127.255.255.254 2130706433 0x7f000001 0X7F.1 0x7f.0x0.0x0.0x1
  017700000001 0177.0.0.1 0177.0.0.01 0177.1 %31%32%37.0.0.1 127%2e0%2e0%2e1 ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1
  127．0．0．1 127｡0｡0｡1 0.0.0.0 0 0x0 [::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::ffff:0.0.0.0] [::127.0.0.1] [::7f00:1]
  [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::]`
  .trim()
  .split(/\s+/);

/** Names that always mean this machine, regardless of the resolver. */
const loopbackNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'my.localhost',
  'a.b.localhost.',
] as const;

/** Literals for other machines that are not public: private, link-local, shared, reserved, multicast and documentation addresses. */
export const privateHosts = `
  10.0.0.1 10.255.255.255 167772161 0x0a000001 012.0.0.1 10.1 172.16.0.1 172.31.255.254 192.168.0.1 192.168.1
  3232235777 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 100.64.0.1 192.0.0.8 192.0.2.1 198.18.0.1
  198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 0.1.2.3 [::ffff:10.0.0.1] [::ffff:a9fe:a9fe]
  [::a9fe:a9fe] [64:ff9b::a9fe:a9fe] [2002:a00:1::1] [2001:0:a00:1::] [fe80::1] [febf::1] [fec0::1] [fc00::1]
  [fd00:ec2::254] [ff02::1] [100::1] [2001:db8::1] [3fff::1] [4000::1]`
  .trim()
  .split(/\s+/);

/** URLs with a host that no parser accepts, or with more than an address. */
export const malformed = `
  https://[fe80::1%25eth0]/ https://[::1%25lo]/ https://[::1/ https://256.0.0.1/ https://1.2.3.4.5/
  https://user@127.0.0.1/ https://partner.example@127.0.0.1/ https://user:password@partner.example/
  https://:password@partner.example/ http://partner.example/ http://8.8.8.8/ ftp://partner.example/
  file:///etc/passwd gopher://127.0.0.1/ data:text/plain,x javascript:alert(1) //127.0.0.1/ 127.0.0.1`
  .trim()
  .split(/\s+/);

export const inwardHosts = [...loopbackHosts, ...loopbackNames, ...privateHosts];
