// The rules of this project that no ready-made linter knows. Switched on in .oxlintrc.json, proved in test/architecture.
import { docOpening } from './doc-opening.mjs';
import { fileName } from './file-name.mjs';
import { foreignWords } from './foreign-words.mjs';
import { layers } from './layers.mjs';
import { noClock } from './no-clock.mjs';
import { noMadePattern } from './no-made-pattern.mjs';
import { noTopLevelEffects } from './no-top-level-effects.mjs';

export default {
  meta: { name: 'plumbline' },
  rules: {
    'doc-opening': docOpening,
    'file-name': fileName,
    'foreign-words': foreignWords,
    layers,
    'no-clock': noClock,
    'no-made-pattern': noMadePattern,
    'no-top-level-effects': noTopLevelEffects,
  },
};
