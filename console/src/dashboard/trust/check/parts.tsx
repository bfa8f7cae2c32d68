import { CircleAlert, CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react';
import { Rows } from '../../../ui/lists/rows';
import { formatNumber } from '../../../ui/numbers';
import { Progress as Bar } from '../../../ui/status/progress';
import style from './check.module.css';
import type { CheckResult, Part } from './check-everything';
import type { KindReport } from './held-records';
import type { Check, Progress } from './use-check';

const NAMES: Readonly<Record<Part, string>> = {
  device: 'Devices',
  user: 'People',
  verification: 'Verifications',
  attendance: 'Attendance',
  entries: 'Audit log',
};
const ORDER = Object.keys(NAMES) as readonly Part[];

/** The parts of the check, one below another: how far it has come, and what it found. */
export function Parts({ check: { isPending, progress, part, data } }: { readonly check: Check }) {
  const reached = part === undefined ? -1 : ORDER.indexOf(part);
  return (
    <>
      <Rows lined className={style.parts} aria-label="Parts of the check">
        {ORDER.map((each, at) => {
          const state = data ? stateOf(each, data) : at === reached ? 'running' : 'waiting';
          const Icon = ICONS[state];
          return (
            <li key={each} data-state={state}>
              <Icon size={18} aria-hidden="true" />
              <span className={style.name}>{NAMES[each]}</span>
              <span>
                {data && foundOf(each, data)}
                {isPending && at <= reached && progress && `${formatNumber(progress[each].read)} read`}
              </span>
            </li>
          );
        })}
      </Rows>
      {isPending && <Overall progress={progress} />}
    </>
  );
}

function Overall({ progress }: { readonly progress: Progress | undefined }) {
  const parts = progress ? Object.values(progress) : [];
  const read = parts.reduce((sum, each) => sum + each.read, 0);
  // Some are added during the check.
  const of = parts.reduce((sum, each) => sum + Math.max(each.read, each.of), 0);
  return (
    <Bar label="Records and entries read" value={read} max={of}>
      {progress ? `${formatNumber(read)} of ${formatNumber(of)} records and entries read` : 'Starting'}
    </Bar>
  );
}

type State = 'waiting' | 'running' | 'good' | 'warn' | 'bad';

const ICONS: Readonly<Record<State, LucideIcon>> = {
  waiting: CircleDashed,
  running: CircleDashed,
  good: CircleCheck,
  warn: CircleAlert,
  bad: CircleX,
};

const reportOf = (part: Part, { kinds }: CheckResult): KindReport | undefined =>
  kinds.find(({ kind }) => kind === part);

function stateOf(part: Part, result: CheckResult): State {
  if (part === 'entries') return result.chain.holds ? 'good' : 'bad';
  const report = reportOf(part, result);
  if (report === undefined) return 'waiting';
  if (report.faults > 0) return 'bad';
  return report.notChecked > 0 ? 'warn' : 'good';
}

/** What was found of a part, in a few words. */
function foundOf(part: Part, result: CheckResult): string {
  const { chain } = result;
  if (part === 'entries')
    return chain.holds
      ? `${formatNumber(chain.rows)} ${chain.rows === 1 ? 'entry' : 'entries'} intact`
      : 'Not intact';
  const report = reportOf(part, result);
  if (report === undefined) return 'Not compared';
  const { faults, sound, sealedLater, notCovered, erased, deleted, notChecked, tooNew } = report;
  const counts = [
    [faults, faults === 1 ? 'differs' : 'differ'],
    [sound, sound === 1 ? 'matches' : 'match'],
    [sealedLater, 'sealed later'],
    [notCovered, 'not covered'],
    [erased, 'erased'],
    [deleted, 'deleted by retention'],
    [tooNew, 'made since'],
    [notChecked, 'not checked'],
  ] as const;
  const shown = counts.filter(([count]) => count > 0);
  return shown.length === 0
    ? 'None'
    : shown.map(([count, what]) => `${formatNumber(count)} ${what}`).join(' · ');
}
