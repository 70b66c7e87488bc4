'use client';

import { verdicts } from '#lib/domain/verdict/verdict.ts';
import { verdictMeaning, verdictLabel } from '#lib/format/verdict-label.ts';
import { AlarmMark } from '../../ui/alarm.tsx';
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx';
import { setSingleKeys, useSingleKeys } from './keys.ts';
import { useTheme } from '../theme/theme.tsx';
import { DialogPanel } from '../../ui/dialog-panel.tsx';

const everywhere = [
  [['/'], 'Search'],
  [['?'], 'This help'],
  [['g', 'f'], 'Fleet'],
  [['g', 'o'], 'Objects'],
  [['g', 'a'], 'Alarms: who would be called'],
  [['g', 'c'], 'Commits'],
  [['g', 'i'], 'Incidents'],
  [['g', 'h'], 'History, changes, corrections'],
  [['g', 'e'], 'Exemptions and conflicts'],
  [['g', 'r'], 'Reports'],
  [['t'], 'Another time: what was known then'],
  [['c'], 'Copy the link of this page'],
  [['Esc'], 'Close, or leave a field'],
] as const;

const inMatrix = [
  [['Arrows'], 'Cell by cell'],
  [['Home', 'End'], 'First and last of the row; with Ctrl of the matrix'],
  [['PageUp', 'PageDown'], 'Ten rows'],
  [[']', '['], 'Next and previous deviation, worst first'],
  [['Enter'], 'Open the object'],
  [['Shift', 'Enter'], 'Open the commit that runs'],
] as const;

const onTimelines = [
  [['+', '−'], 'Shorter, longer period'],
  [['Arrows'], 'Along the events, from lane to lane; with Shift earlier, later'],
  [['Enter'], 'That moment'],
] as const;

const onIncidents = [
  [['Up', 'Down'], 'From incident to incident'],
  [['Right', 'Left'], 'Unfold and fold what is in it'],
  [['Enter'], 'Open the incident'],
] as const;

const onObject = [
  [[']', '['], 'Next and previous deviation of the fleet, worst first'],
  [['Esc'], 'Back to where one came from, else to the cluster'],
] as const;

const marks = [
  ['sounding', 'Called: an alarm is sounding'],
  ['pending', 'Nobody is called yet, and no call is due yet'],
  ['unknown', 'Whether anybody was called is not known'],
] as const;

interface KeyHelpProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** Keys and signs, and the switch for single keys. */
export function KeyHelp({ open, onOpenChange }: KeyHelpProps) {
  const single = useSingleKeys();
  return (
    <DialogPanel title="Keys and signs" open={open} onOpenChange={onOpenChange}>
      <div className="grid gap-x-10 gap-y-4 sm:grid-cols-2">
        <div>
          <KeyTable title="Everywhere" rows={everywhere} />
          <KeyTable title="In the matrix" rows={inMatrix} />
          <KeyTable title="On incidents" rows={onIncidents} />
          <KeyTable title="On an object" rows={onObject} />
          <KeyTable title="On timelines" rows={onTimelines} />
          <label className="mt-4 flex items-center gap-2">
            <input
              type="checkbox"
              checked={single}
              onChange={(event) => setSingleKeys(event.target.checked)}
              className="size-4 accent-ink"
            />
            Single keys work ({single ? 'on' : 'off'} in this browser)
          </label>
          <ThemeChoice />
        </div>
        <Signs />
      </div>
    </DialogPanel>
  );
}

const themes = [
  [null, 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Light or dark, kept in this browser. */
function ThemeChoice() {
  const { theme, choose } = useTheme();
  return (
    <fieldset className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1">
      <legend className="float-left mr-4">Theme</legend>
      {themes.map(([name, words]) => (
        <label key={words} className="flex min-h-6 items-center gap-2">
          <input
            type="radio"
            name="theme"
            checked={theme === name}
            onChange={() => choose(name)}
            className="size-4 accent-ink"
          />
          {words}
        </label>
      ))}
    </fieldset>
  );
}

interface KeyTableProps {
  readonly title: string;
  readonly rows: readonly (readonly [readonly string[], string])[];
}

function KeyTable({ title, rows }: KeyTableProps) {
  return (
    <section className="mb-4">
      <h3 className="mb-1 border-b border-rule pb-1 font-semibold">{title}</h3>
      <dl className="grid grid-cols-[112px_1fr] gap-y-1.5">
        {rows.map(([keys, what]) => (
          <div key={what} className="contents">
            <dt className="flex flex-wrap content-start gap-1">
              {keys.map((key) => (
                <KeyCap key={key}>{key}</KeyCap>
              ))}
            </dt>
            <dd className="text-mute">{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Signs() {
  return (
    <section>
      <h3 className="mb-1 border-b border-rule pb-1 font-semibold">Signs</h3>
      <ul>
        {verdicts.map((verdict) => (
          <li key={verdict} className="grid grid-cols-[14px_1fr] gap-2 py-[3px]">
            <span className="pt-px">
              <VerdictGlyph verdict={verdict} />
            </span>
            <span>
              {verdictLabel(verdict)} <span className="text-mute">{verdictMeaning[verdict]}</span>
            </span>
          </li>
        ))}
        {marks.map(([state, what]) => (
          <li key={state} className="grid grid-cols-[14px_1fr] gap-2 py-[3px]">
            <span className="pt-px pl-px">
              <AlarmMark state={state} />
            </span>
            <span>{what}</span>
          </li>
        ))}
        <li className="grid grid-cols-[14px_1fr] gap-2 py-[3px]">
          <span className="mt-[3px] h-3 w-3 border-2 border-ink bg-diverged" />
          <span>
            Filled and framed <span className="text-mute">Away from git or stale, and nobody is being called.</span>
          </span>
        </li>
      </ul>
    </section>
  );
}

/** A key of the keyboard. */
export function KeyCap({ children }: { readonly children: string }) {
  return (
    <kbd className="rounded-[3px] border border-field px-[5px] font-mono text-[11px] leading-[15px] text-mute">
      {children}
    </kbd>
  );
}
