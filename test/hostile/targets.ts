/**
 * Request targets that are no normal path, as bytes of a request line (latin1): each could mean one thing to a proxy and another to us.
 * `after` is where one that folds them would end.
 */
export const hostileTargets: readonly string[] = [
  // Dot segments, plain and escaped, in either case, half escaped, at the end.
  ...['/embed/../api/v1/clusters', '/embed/./fleet', '/embed/..', '/embed/.', '/..', '/.', '/badge/../metrics'],
  ...['/embed/%2e%2e/api/v1/clusters', '/embed/%2E%2E/api/v1/clusters', '/embed/.%2e/api/v1/clusters'],
  ...['/embed/%2e./api/v1/clusters', '/embed/%2e/fleet', '/%2e%2e/%2e%2e/metrics', '/embed/fleet/%2e%2e'],
  '/embed/%2e%2e/api/v1/link?scope=fleet&days=365',
  ...['/embed/a%2eb', '/clusters/eu%2ewest', '/badge/fleet%2esvg'],
  // Segments with parameters, as Java's servers fold them.
  ...['/embed/..;/api/v1/clusters', '/embed/.;x/fleet', '/embed/..;a=b/metrics', '/embed/%2e%2e;/api/v1/clusters'],
  // Escaped slashes, backslashes.
  ...['/embed%2fx', '/embed%2F..%2Fapi', '/embed/..%2fapi/v1/clusters', '/%2fapi/v1/clusters', '/clusters/a%2Fb'],
  ...['/embed\\..\\api', '/embed/..\\api/v1/clusters', '\\api', '/\\evil.example/', '/clusters/a\\b'],
  ...['/embed/%5c..%5capi', '/embed/..%5Capi/v1/clusters', '/%5cevil.example/', '/clusters/a%5Cb'],
  // Empty segments, other hosts.
  ...['//', '//api/v1/clusters', '//evil.example/', '/embed//fleet', '/api//v1/clusters', '/embed/x//', '///'],
  ...['http://evil.example/api/v1/clusters', 'http://localhost/api/v1/clusters', 'HTTP://localhost/metrics'],
  ...['https://evil.example/', 'file:///etc/passwd', 'javascript:alert(1)'],
  ...['*', 'api/v1/clusters', '?x=1', '@evil.example/', ':3000/'],
  // Fragments.
  ...['/#', '/embed/fleet#/../api', '/clusters/a#b', '/?q=a#b'],
  // Control characters, escaped and plain; what is no letter of an address.
  ...['/embed/%00', '/embed/%0d%0aX-Injected:%201', '/embed/%0A', '/clusters/a%09b', '/clusters/a%1bb', '/a%7f'],
  ...[
    '/embed/\u0000',
    '/embed/\u0001x',
    '/clusters/a\u007fb',
    '/embed/\tx',
    '/clusters/a\u00e9',
    '/clusters/\u00c0\u00ae',
  ],
  ...['/clusters/a"b', '/clusters/<b>', '/clusters/a`b', '/clusters/a^b', '/clusters/{a}', '/clusters/a|b'],
  // Escapes of C1 controls and of characters that turn a line round.
  ...['/clusters/a%C2%85b', '/clusters/a%E2%80%AEb', '/clusters/a%E2%80%A8b'],
  // The same in what a page repeats of its query.
  ...['/?q=%E2%80%AEevil', '/objects?kind=a%e2%80%aab', '/commits/x?y=%E2%81%A6', '/api/v1/objects?q=%E2%81%a9'],
  // Bad and overlong escapes, and escapes of escapes.
  ...['/%', '/embed/%', '/embed/%2', '/embed/%zz', '/clusters/%E0%A4%A', '/clusters/%E0%A4', '/embed/%u002e%u002e/api'],
  ...['/embed/%c0%ae%c0%ae/api', '/embed/%C0%AF', '/embed/%e0%80%af', '/embed/%ff'],
  ...['/embed/%252e%252e/api/v1/clusters', '/embed/%25252e', '/embed/%252f', '/embed/%255c', '/embed/%2500'],
  ...['/embed/%%32%65', '/embed/%25%32%65'],
  // Embeds in capitals: a rule for /embed that ignores case would let them in without a login.
  ...['/EMBED/x', '/Embed', '/eMbed/fleet', '/BADGE/fleet.svg', '/Badge', '/badgE/x?y=1'],
  // Letters that need no escape: a rule for /api would not see /%61pi.
  ...['/%61pi/v1/clusters', '/%65mbed/fleet', '/api/v1/%63lusters', '/m%65trics', '/%6detrics', '/embed/%7e', '/a%2db'],
];
