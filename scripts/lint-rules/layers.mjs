import { posix } from 'node:path';
import { importsOf, isTest, projectPath } from './sources.mjs';
import { aliased, doors, featureDoors, nextEntry, sharedComponents, testPackages, testZones, zones } from './zones.mjs';

/** Imports follow the table in zones.mjs; what leaves its top-level folder goes through an alias. */
export const layers = {
  meta: { type: 'problem', docs: { description: 'Imports follow the layers of the project' }, schema: [] },
  create(context) {
    const file = projectPath(context);
    return importsOf((node, specifier) => {
      const message = problemOf(file, specifier);
      if (message !== null) context.report({ node, message });
    });
  },
};

/** Trouble with one import, or null. `file` is the importing file as a path from the root. */
export function problemOf(file, specifier) {
  const top = file.split('/')[0];
  if (specifier.startsWith('.')) return relativeProblem(file, top, specifier);
  if (specifier.startsWith('#')) return doorProblem(file, specifier.slice(1)) ?? zoneProblem(file, specifier.slice(1));
  return packageProblem(file, specifier);
}

function relativeProblem(file, top, specifier) {
  const target = posix.normalize(posix.join(posix.dirname(file), specifier));
  const shut = doorProblem(file, target);
  if (shut !== null) return shut;
  const targetTop = target.split('/')[0];
  if (targetTop === top || !aliased.includes(top)) {
    return targetTop !== top && aliased.includes(targetTop) ? alias(targetTop) : zoneProblem(file, target);
  }
  if (!file.includes('/')) return null;
  return aliased.includes(targetTop) ? alias(targetTop) : `${specifier} leaves ${top}/`;
}

function doorProblem(file, target) {
  if (isTest(file) || file.includes('/testing/')) return null;
  const door = doors.find((each) => target.startsWith(`${posix.dirname(each)}/`));
  if (door === undefined || target === door || file.startsWith(`${posix.dirname(door)}/`)) {
    return featureProblem(file, target);
  }
  return `Import ${door}, the door of its folder`;
}

/** A feature is entered by its door, from another feature; what features share knows none of them. */
function featureProblem(file, target) {
  const [from, to] = [featureOf(file), featureOf(target)];
  if (to === null || from === to || sharedComponents.includes(to)) return null;
  if (file.startsWith('app/')) {
    return target.split('/').length > 3 ? `Import what stands at the top of components/${to}/` : null;
  }
  if (from === null || (featureDoors.includes(target) && !sharedComponents.includes(from))) return null;
  return `components/${from}/ may import ${sharedComponents.join(', ')} and the doors of features; not ${target}`;
}

/** The folder of components/ that a path lies in, by its name; null for what lies in none. */
function featureOf(file) {
  const [top, folder, ...rest] = file.split('/');
  return top === 'components' && rest.length > 0 ? folder : null;
}

function alias(top) {
  return `Import ${top}/ as #${top}/...`;
}

function zoneProblem(file, target) {
  const zone = zoneOf(file);
  if (zone === undefined) return null;
  const allowed = [zone.folder, ...zone.may, ...(isTest(file) && !zone.alone ? testZones : [])];
  if (allowed.some((folder) => target.startsWith(`${folder}/`))) return null;
  return `${zone.folder}/ may import ${[...zone.may, 'itself'].join(', ')}; not ${target}`;
}

function packageProblem(file, specifier) {
  const zone = zoneOf(file);
  if (zone === undefined) return null;
  if (isTest(file) && !zone.alone && testPackages.some((name) => matches(specifier, name))) return null;
  if (specifier.startsWith('node:')) {
    return zone.node || isTest(file) ? null : `${zone.folder}/ may not import Node's modules (${specifier})`;
  }
  if (zone.packages !== undefined && !zone.packages.some((name) => matches(specifier, name))) {
    return `${zone.folder}/ may import ${zone.packages.join(', ')}; not ${specifier}`;
  }
  if (file === nextEntry && /^next(?:\/|$)/.test(specifier)) return null;
  return zone.never?.some((pattern) => pattern.test(specifier)) ? `${zone.folder}/ may not import ${specifier}` : null;
}

function matches(specifier, name) {
  return specifier === name || specifier.startsWith(name.endsWith('/') ? name : `${name}/`);
}

function zoneOf(file) {
  return zones
    .filter((zone) => file.startsWith(`${zone.folder}/`))
    .sort((a, b) => b.folder.length - a.folder.length)[0];
}
