import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** A page that a browser has come to. */
export interface Seen {
  /** As the browser shows it: under the public address. */
  readonly url: string;
  readonly status: number;
  /** Where it sends the browser on; null for nowhere. */
  readonly location: string | null;
  readonly body: string;
}

/** Cookies of a browser: by origin, then by name and path. */
export type Jar = Map<string, Map<string, { readonly name: string; readonly path: string; readonly value: string }>>;

type Headers = Readonly<Record<string, string>>;

/** A browser without a screen: it keeps cookies by host and path, follows redirects, and fills the forms of a provider. */
export interface Browser {
  readonly jar: Jar;
  /** Opens an address, as somebody does who types it or follows a link, and follows every redirect. */
  open(url: string, headers?: Headers): Promise<Seen>;
  /** Opens one, and follows none. */
  step(url: string, headers?: Headers): Promise<Seen>;
  /** Fills forms until a page has none. */
  fill(page: Seen, fields: Readonly<Record<string, string>>): Promise<Seen>;
  /** The cookies that go to an address, as their header. */
  cookie(url: string): string;
}

const mostHops = 20;

const opened: Headers = {
  accept: 'text/html,application/xhtml+xml',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
};

/** Makes one in which `publicUrl` leads to `origin`, as a proxy would. */
export function browser(publicUrl: string, origin: string, jar: Jar = new Map()): Browser {
  function cookie(url: string): string {
    const { origin: asked, pathname } = new URL(url);
    const sent = [...(jar.get(asked)?.values() ?? [])].filter(({ path }) => pathname.startsWith(path));
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  async function step(url: string, headers: Headers = {}, form: URLSearchParams | null = null): Promise<Seen> {
    const { origin: asked, pathname, search } = new URL(url);
    const sent = cookie(url);
    const posted: Headers = form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    // Not fetch: it says itself what Sec-Fetch-Mode is.
    const answer = await new Promise<Seen & { readonly cookies: readonly string[] }>((resolve, reject) => {
      const asking = request(
        `${asked === publicUrl ? origin : asked}${pathname}${search}`,
        {
          method: form === null ? 'GET' : 'POST',
          agent: false,
          headers: { ...opened, ...(sent !== '' && { cookie: sent }), ...posted, ...headers },
        },
        (response) => {
          const { statusCode: status = 0, headers: got } = response;
          const [location, cookies] = [got.location ?? null, got['set-cookie'] ?? []];
          text(response).then((body) => resolve({ url, status, location, body, cookies }), reject);
        },
      );
      asking.on('error', reject);
      asking.end(form?.toString());
    });
    for (const line of answer.cookies) keep(jar, asked, line);
    return answer;
  }

  async function follow(page: Seen): Promise<Seen> {
    let at = page;
    for (let hop = 0; hop < mostHops; hop += 1) {
      if (at.location === null) return at;
      at = await step(new URL(at.location, at.url).href);
    }
    throw new Error(`more than ${mostHops} redirects`);
  }

  return {
    jar,
    cookie,
    step,
    open: async (url, headers) => follow(await step(url, headers)),
    async fill(page, fields) {
      let at = page;
      for (let hop = 0; hop < mostHops; hop += 1) {
        const action = /<form[^>]*action="([^"]+)"/.exec(at.body)?.[1];
        if (action === undefined || new URL(at.url).origin === publicUrl) return at;
        const hidden = [...at.body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
        const form = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value]));
        for (const [name, value] of Object.entries(fields))
          if (at.body.includes(`name="${name}"`)) form.set(name, value);
        at = await follow(await step(new URL(action, at.url).href, {}, form));
      }
      throw new Error(`more than ${mostHops} forms`);
    },
  };
}

function keep(jar: Jar, origin: string, line: string): void {
  const own = jar.get(origin) ?? new Map();
  jar.set(origin, own);
  const [pair = ''] = line.split(';');
  const cut = pair.indexOf('=');
  const [name, value] = [pair.slice(0, cut), pair.slice(cut + 1)];
  const path = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
  const isOver = /max-age=0(?:;|$)/i.test(line) || /expires=thu, 01 jan 1970/i.test(line);
  if (isOver || value === '') own.delete(`${name} ${path}`);
  else own.set(`${name} ${path}`, { name, path, value });
}
