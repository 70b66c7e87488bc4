// Builds everything that the referee needs, so that test:real finds it there: the programs of the bed, and the image.
import { buildPrograms } from './build.ts';
import { buildImage } from './install/build-image.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const programs = await buildPrograms(say);
const image = await buildImage(say);
if (image.type === 'refused') say(`refused the image: ${image.why}`);
process.exitCode = [...programs.values(), image].some((result) => result.type === 'refused') ? 1 : 0;
