import { Laptop, Smartphone } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { Notice } from '../../ui/layout/surface';
import type { Action, Stage } from '../flow/stage';
import { Choices } from '../frame/frame';
import { Outcome } from '../frame/outcome';
import { t } from '../language/strings';

type Dispatch = (action: Action) => void;

/** This browser is new to the person, so their phone has to be beside it. */
export const Nearby = ({
  stage,
  dispatch,
}: {
  readonly stage: Extract<Stage, { readonly at: 'nearby' | 'confirming-nearby' }>;
  readonly dispatch: Dispatch;
}) => (
  <>
    <Outcome tone="calm" icon={Smartphone} title={t.nearby.title} focus>
      <p>{t.nearby.text}</p>
    </Outcome>
    {stage.at === 'nearby' && stage.refused && <Notice tone="warn">{t.nearby.refused}</Notice>}
    <Choices>
      <Button
        look="primary"
        busy={stage.at === 'confirming-nearby'}
        onClick={() => dispatch({ type: 'ask-nearby' })}
      >
        {t.nearby.action}
      </Button>
      <Button disabled={stage.at === 'confirming-nearby'} onClick={() => dispatch({ type: 'cancel' })}>
        {t.cancel}
      </Button>
    </Choices>
  </>
);

/** Whether the browser becomes known. */
export const Computer = ({ dispatch }: { readonly dispatch: Dispatch }) => (
  <>
    <Outcome tone="calm" icon={Laptop} title={t.nearby.computer.title} focus>
      <p>{t.nearby.computer.text}</p>
    </Outcome>
    <Choices>
      <Button look="primary" onClick={() => dispatch({ type: 'computer', isMine: true })}>
        {t.nearby.computer.yes}
      </Button>
      <Button onClick={() => dispatch({ type: 'computer', isMine: false })}>{t.nearby.computer.no}</Button>
    </Choices>
  </>
);
