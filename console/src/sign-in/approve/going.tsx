import { CornerUpLeft } from 'lucide-react';
import { Text } from '../../ui/lists/value';
import type { Stage } from '../flow/stage';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';

/** The last moment of the page, before the browser goes on by itself. */
export function Going({
  stage,
  host,
}: {
  readonly stage: Extract<Stage, { readonly at: 'completing' | 'consenting' | 'cancelling' | 'leaving' }>;
  readonly host: string | null;
}) {
  const isApproved = stage.at === 'leaving' ? stage.approved : stage.at !== 'cancelling';
  const going = host === null ? t.approved.going : t.approved.goingTo(<Text of={host} />);
  return (
    <Outcome
      tone={isApproved ? 'good' : 'calm'}
      {...(!isApproved && { icon: CornerUpLeft })}
      title={isApproved ? t.approved.title : t.cancelled}
      focus
    >
      <p>{going}</p>
      {stage.at === 'leaving' && (
        <p>
          <a href={stage.to}>{t.continue}</a>
        </p>
      )}
    </Outcome>
  );
}
