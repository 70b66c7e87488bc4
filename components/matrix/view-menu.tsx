'use client';

import { Menu } from '@base-ui/react/menu';
import { shownLabels, type FleetView } from '#lib/api/fleet.ts';
import type { ChangeView } from './view-state.ts';
import { PageLink as Link } from '../ui/page-link.tsx';

interface ViewMenuProps {
  readonly view: FleetView;
  readonly labels: readonly string[];
  /** Reconcilers that own any object of the fleet. */
  readonly reconcilers: readonly string[];
  readonly onChange: ChangeView;
  readonly colour: 'commit' | null;
  readonly onColour: (colour: 'commit' | null) => void;
}

type Choice = readonly [value: string, title: string];

const columns: readonly Choice[] = [
  ['delivery', 'Kustomization or API group'],
  ['reconciler', 'Reconciler'],
  ['kind', 'Kind'],
  ['group', 'API group'],
  ['namespace', 'Namespace'],
];
const colours: readonly Choice[] = [
  ['', 'Verdict'],
  ['commit', 'Commit that runs'],
];
const sorts: readonly Choice[] = [
  ['worst', 'Worst first'],
  ['name', 'By name'],
];

/** Chooses columns, groups of rows and their order; all of it stands in the URL. */
export function ViewMenu({ view, labels, reconcilers, onChange, colour, onColour }: ViewMenuProps) {
  const byLabel = labels.map((label): Choice => [`label:${label}`, `Label ${label}`]);
  const rows: readonly Choice[] = [['', 'Not grouped'], ...labels.map((label): Choice => [label, `Label ${label}`])];
  return (
    <Menu.Root>
      <Menu.Trigger className="rounded-[3px] px-1 py-1 text-mute hover:text-ink">View</Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align="end" className="z-50">
          <Menu.Popup className="grid max-h-[80dvh] grid-cols-2 gap-x-8 gap-y-3 overflow-auto border border-field bg-raised px-4 py-3">
            <Choices
              title="A column is"
              choices={[...columns, ...byLabel]}
              value={view.columns}
              onChoose={(value) => onChange({ columns: value })}
            />
            <Choices title="Rows by" choices={rows} value={view.rows} onChoose={(value) => onChange({ rows: value })} />
            <Choices
              title="Reconciler"
              choices={[['', 'All'], ...reconcilers.map((name): Choice => [name, name])]}
              value={view.reconciler}
              onChoose={(value) => onChange({ reconciler: value })}
            />
            <Choices
              title="Order"
              choices={sorts}
              value={view.sort}
              onChoose={(value) => onChange({ sort: value === 'name' ? 'name' : 'worst' })}
            />
            <Choices
              title="Colour by"
              choices={colours}
              value={colour ?? ''}
              onChoose={(value) => onColour(value === 'commit' ? 'commit' : null)}
            />
            {labels.length > 0 && (
              <Ticks
                title="Beside each cluster"
                choices={labels.map((label): Choice => [label, `Label ${label}`])}
                ticked={shownLabels(view)}
                onTick={(ticked) => onChange({ show: ticked.join(',') })}
              />
            )}
            <Menu.Item
              className="col-span-2 min-h-6 border-t border-rule pt-2 data-highlighted:bg-faint"
              render={<Link href="/?view=wall" prefetch={false} />}
            >
              The view for a screen on the wall
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

interface TicksProps {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly ticked: readonly string[];
  readonly onTick: (ticked: readonly string[]) => void;
}

const item =
  'grid min-h-6 cursor-pointer grid-cols-[14px_1fr] items-center gap-1 pr-2 outline-offset-0 data-highlighted:bg-faint';

function Ticks({ title, choices, ticked, onTick }: TicksProps) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="mb-1 border-b border-rule pb-1 font-semibold">{title}</Menu.GroupLabel>
      {choices.map(([choice, words]) => (
        <Menu.CheckboxItem
          key={choice}
          checked={ticked.includes(choice)}
          onCheckedChange={(on) => onTick(on ? [...ticked, choice] : ticked.filter((each) => each !== choice))}
          closeOnClick={false}
          className={item}
        >
          <Menu.CheckboxItemIndicator className="text-ink">•</Menu.CheckboxItemIndicator>
          <span className="col-start-2">{words}</span>
        </Menu.CheckboxItem>
      ))}
    </Menu.Group>
  );
}

interface ChoicesProps {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly value: string;
  readonly onChoose: (value: string) => void;
}

function Choices({ title, choices, value, onChoose }: ChoicesProps) {
  return (
    <Menu.Group>
      <Menu.GroupLabel className="mb-1 border-b border-rule pb-1 font-semibold">{title}</Menu.GroupLabel>
      <Menu.RadioGroup value={value} onValueChange={(next) => onChoose(String(next))}>
        {choices.map(([choice, words]) => (
          <Menu.RadioItem key={choice} value={choice} closeOnClick={false} className={item}>
            <Menu.RadioItemIndicator className="text-ink">•</Menu.RadioItemIndicator>
            <span className="col-start-2">{words}</span>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Menu.Group>
  );
}
