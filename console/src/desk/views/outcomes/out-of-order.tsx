import { CircleAlert, CloudOff, Hourglass, Power } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCountdown } from '../../../ui/lists/time';
import type { Problem } from '../../device/problem';
import { useTexts } from '../../language/language';
import { Outcome } from './outcome';

const ICONS = { offline: CloudOff, revoked: Power, busy: Hourglass } as const;

/** Why nobody can begin. Most reasons pass by themselves. */
export function OutOfOrder({
  problem,
  children,
}: {
  readonly problem: Problem;
  readonly children?: ReactNode;
}) {
  const { problems } = useTexts();
  const [title, text] = problems[problem.kind];
  const Icon = (ICONS as Partial<Record<Problem['kind'], typeof CloudOff>>)[problem.kind] ?? CircleAlert;
  return (
    <Outcome
      tone="calm"
      icon={<Icon strokeWidth={1.75} />}
      title={title}
      text={
        <>
          {text} {problem.kind === 'busy' && <GoesOn until={problem.until} />}
        </>
      }
    >
      {children}
    </Outcome>
  );
}

function GoesOn({ until }: { readonly until: string }) {
  const { goesOnIn } = useTexts();
  return <span role="timer">{goesOnIn(useCountdown(until))}</span>;
}
