// The rules of this project that no ready-made linter knows. Switched on in .oxlintrc.json, proved in test/architecture.
import { docOpening } from './doc-opening.mjs';
import { fileName } from './file-name.mjs';
import { layers } from './layers.mjs';
import { noClock } from './no-clock.mjs';
import { noTopLevelEffects } from './no-top-level-effects.mjs';

export default {
  meta: { name: 'plumbline' },
  rules: {
    'doc-opening': docOpening,
    'file-name': fileName,
    layers,
    'no-clock': noClock,
    'no-top-level-effects': noTopLevelEffects,
  },
};
