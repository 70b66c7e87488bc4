// Runs in a copy of the program that an endpoint was planted into, and prints as JSON what the web process answers.
import { runningWeb } from '#server/web/testing/running-web.ts';
import { sampleCluster, sampleNow } from '#server/web/testing/sample.ts';

const web = await runningWeb();
web.store.cluster(sampleCluster('eu-west-3', { version: 'v1.33.2' }));
web.store.cluster(sampleCluster('us-east-1', { version: 'v1.36.0' }));
await web.advance(500);
const ask = async (path: string) => {
  const response = await web.get(path);
  const body: unknown = await response.json();
  return { status: response.status, body };
};
const tomorrow = new Date(sampleNow + 86_400_000).toISOString();
const printed = {
  all: await ask('/api/v1/versions'),
  one: await ask('/api/v1/versions?cluster=us-east-1'),
  missing: await ask('/api/v1/versions?cluster=us-east'),
  unknown: await ask('/api/v1/versions?version=1'),
  future: await ask(`/api/v1/versions?at=${tomorrow}`),
  document: await ask('/api/v1/openapi.json'),
};
await web.stop();
process.stdout.write(JSON.stringify(printed));
