/** The URL that a process is reached at: an IPv6 host stands in brackets (RFC 3986, 3.2.2). */
export function readyUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
