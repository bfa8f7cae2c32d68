import { ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../ui/forms/button';
import { Panel } from '../ui/layout/panel';
import { Row } from '../ui/layout/stack';
import { Notice } from '../ui/layout/surface';
import { Progress as Bar } from '../ui/status/progress';
import style from './check.module.css';
import { KeptFile } from './kept-file';
import { type Spoken, SpokenContext, useNumber, useSpoken } from './language/spoken';
import type { Progress } from './messages';
import type { PersonName } from './results/judged';
import { Result } from './results/result';
import { type CheckState, type OpenFile, useCheck } from './use-check';

export type { OpenFile } from './use-check';

interface CheckPanelProps {
  /** Names the audit log. */
  readonly log: string;
  readonly open: OpenFile;
  /** What went wrong with a request. */
  readonly failure: (error: unknown, onRetry: () => void) => ReactNode;
  /** A button that downloads the file. */
  readonly download?: (text: string) => ReactNode;
  readonly person: PersonName;
}

/** Checks the file of a month in this browser. */
export const CheckPanel = ({ spoken, ...props }: CheckPanelProps & { readonly spoken: Spoken }) => (
  <SpokenContext value={spoken}>
    <Check {...props} />
  </SpokenContext>
);

function Check({ log, open, failure, download, person }: CheckPanelProps) {
  const { texts: t } = useSpoken();
  const { state, start, stop } = useCheck(log, open);
  const isRunning = state.is === 'running';
  return (
    <Panel title={t.title} aria-label={t.title}>
      <p className={style.text}>
        {t.about} {t.recorded}
      </p>
      {isRunning && <Running progress={state.progress} />}
      {state.is === 'failed' && failure(state.error, () => start())}
      <Unjudged of={state} onRetry={() => start()} />
      {state.is === 'done' && <Result of={state.checked} kept={state.kept} person={person} />}
      <Row>
        {isRunning ? (
          <Button onClick={stop}>{t.stop}</Button>
        ) : (
          <>
            <Button onClick={() => start()}>
              <ShieldCheck size={18} aria-hidden="true" />
              {state.is === 'done' ? t.again : t.start}
            </Button>
            <KeptFile onFile={start} />
          </>
        )}
        {download?.(t.download)}
      </Row>
      <p className={style.soft}>{t.trust(<CommandLine />)}</p>
    </Panel>
  );
}

const CommandLine = () => <a href="/docs/hours-file#checking-it">{useSpoken().texts.commandLine}</a>;

function Running({ progress }: { readonly progress: Progress | undefined }) {
  const { texts: t, locale } = useSpoken();
  const number = useNumber();
  const { read, of } = progress?.entries ?? { read: 0, of: 0 };
  return (
    <Bar label={t.progress} value={read} max={of}>
      {of === 0 ? t.starting : t.read(number(read), number(of), sizeIn(locale, progress?.bytes ?? 0))}
    </Bar>
  );
}

function sizeIn(locale: string, bytes: number): string {
  const [unit, size] = bytes < 1_000_000 ? ['kilobyte', 1_000] : ['megabyte', 1_000_000];
  const maximumFractionDigits = unit === 'kilobyte' ? 0 : 1;
  return new Intl.NumberFormat(locale, { style: 'unit', unit: String(unit), maximumFractionDigits }).format(
    bytes / Number(size),
  );
}

/** Why nothing was judged. */
function Unjudged({ of: { is }, onRetry }: { readonly of: CheckState; readonly onRetry: () => void }) {
  const { texts: t } = useSpoken();
  if (is === 'stopped') return <Notice>{t.stopped}</Notice>;
  if (is === 'not kept') return <Notice tone="warn">{t.notKept}</Notice>;
  if (is === 'of another') return <Notice tone="warn">{t.ofAnother}</Notice>;
  if (is === 'too large') return <Notice tone="warn">{t.tooLarge}</Notice>;
  if (is !== 'cut' && is !== 'unexpected') return null;
  return (
    <Notice
      tone="warn"
      action={
        <Button small onClick={onRetry}>
          {t.tryAgain}
        </Button>
      }
    >
      {is === 'cut' ? t.cut(<strong>{t.incomplete}</strong>) : t.unexpected}
    </Notice>
  );
}
