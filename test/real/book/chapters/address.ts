import { readFile } from 'node:fs/promises';
import { numberAt, parseForeign, textAt } from '#lib/foreign.ts';
import { clusterIs, nothingGreenOn } from '../checks/places.ts';
import type { Chapter, Check, Stage } from '../situation.ts';

/** Its kubeconfig brings a token, which must not be readable on its way. */
const words = 'it is http://, and no credentials are sent over that';

function because(title: string, got: (stage: Stage) => Promise<string>): Check {
  const name = `cluster gamma: ${title}`;
  return {
    expects: `${name}: ${words}`,
    async find(stage) {
      const said = await got(stage);
      return { fits: said.includes(words), got: `${name}: ${said || 'nothing'}` };
    },
  };
}

const reason = because('the reason', async ({ plumbline }) => (await plumbline.cluster('gamma'))?.reason ?? '');

const page = because('its page', async ({ plumbline }) => {
  const answer = await fetch(`${plumbline.origin}/clusters/gamma`, { signal: AbortSignal.timeout(15_000) });
  const text = await answer.text();
  return text.includes(words) ? words : `${answer.status}, ${text.length} characters without it`;
});

/** The level of a warning in the log (pino). */
const warning = 40;

/** The log is one JSON object a line. */
const log = because('a warning in the log', async ({ plumbline }) => {
  const lines = (await readFile(plumbline.process.logFile, 'utf8')).split('\n').map((line) => parseForeign(line));
  const ofGamma = lines.filter((line) => textAt(line, 'cluster') === 'gamma' && numberAt(line, 'level') === warning);
  return ofGamma.map((line) => `${textAt(line, 'reason')}: ${textAt(line, 'msg')}`).join('; ');
});

const check = because('plumbline check of it alone ends with 2 and says', async ({ plumbline }) => {
  const config = await plumbline.configure('only-gamma', ['gamma']);
  const { code, stderr } = await plumbline.run('check', '--config', config);
  return code === 2 ? stderr : `it ended with ${code}: ${stderr}`;
});

/** Headline: what is not seen is said before anything that is seen. */
const headline: Check = {
  expects: 'the headline begins: 1 of 3 clusters is not seen.',
  async find({ plumbline }) {
    const { truth, lead, body } = (await plumbline.summary()).guarantee;
    const fits = truth !== 'holds' && lead.startsWith('1 of 3 clusters is not seen.');
    return { fits, got: `the headline, ${truth}: ${lead} ${body}` };
  },
};

/** Few clusters stand across: every cell under the name of gamma is hatched, and none says that nothing is deployed there. */
const column: Check = {
  expects: 'the column of gamma in the matrix: "no access", every cell hatched and "not seen"',
  async find({ plumbline }) {
    const html = await (await fetch(plumbline.origin, { signal: AbortSignal.timeout(15_000) })).text();
    const head = /<th[^>]*aria-colindex="(\d+)"[^>]*>(?:(?!<\/th>).)*?href="\/clusters\/gamma".*?<\/th>/s.exec(html);
    const state = /class="m-state[^"]*"[^>]*>([^<]*)/.exec(head?.[0] ?? '')?.[1] ?? '';
    const cells = [...html.matchAll(/<td[^>]*role="gridcell"[^>]*>/g)].map(([cell]) => cell);
    const own = cells.filter((cell) => cell.includes(`aria-colindex="${head?.[1] ?? 'none'}"`));
    const blind = own.filter((cell) => /class="[^"]*\bm-blind\b/.test(cell) && cell.includes('aria-label="not seen"'));
    return {
      fits: state.startsWith('no access') && own.length > 0 && blind.length === own.length,
      got: `the column of gamma in the matrix: "${state}", ${blind.length} of ${own.length} cells hatched and "not seen"`,
    };
  },
};

/** A cluster whose address is spelled wrongly, from the start: it stands beside the others to the end. */
export const address: Chapter = {
  name: 'address',
  title: 'A cluster whose address says http:// where the server speaks https',
  situations: [
    {
      name: 'nothing is sent: it is not live, and that is said first',
      within: 90_000,
      checks: [clusterIs('gamma', ['misconfigured']), reason, headline, column, page, nothingGreenOn('gamma')],
    },
    { name: 'the log and plumbline check say why', within: 90_000, checks: [log, check] },
  ],
};
