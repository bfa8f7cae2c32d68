import type { Brand } from '../../ui/brand/company';
import type { SignIn as Details } from '../flow/api';
import type { Action, Returned, Stage, State } from '../flow/stage';
import { useSignIn } from '../flow/use-sign-in';
import { Frame } from '../frame/frame';
import { isolate, t } from '../language/strings';
import { Closed } from './closed';
import { Code } from './code';
import { Consent } from './consent';
import { Ended } from './ended';
import { Failed } from './failed';
import { Going } from './going';
import { Computer, Nearby } from './nearby';
import { Noting } from './noting';

/** The sign-in of an address: a code for a phone, until it is approved. */
export function SignIn({
  uid,
  returned,
}: {
  readonly uid: string;
  readonly returned: Returned | 'other_tab' | undefined;
}) {
  const [state, dispatch] = useSignIn(uid, returned);
  const { signIn, stage } = state;
  if (stage.at === 'closed') return <Closed brand={brandOf(signIn)} focus={signIn !== undefined} />;
  return (
    <Frame
      brand={brandOf(signIn)}
      title={signIn ? t.signIn.tab(isolate(signIn.client.name)) : t.signIn.loading}
      isTest={signIn?.environment === 'test'}
      isLoading={signIn === undefined && stage.at === 'reading'}
      isSteady={hasOutcome(stage)}
    >
      <CurrentStage state={state} dispatch={dispatch} />
    </Frame>
  );
}

function CurrentStage({
  state,
  dispatch,
}: {
  readonly state: State;
  readonly dispatch: (action: Action) => void;
}) {
  const { signIn, stage } = state;
  switch (stage.at) {
    case 'asking-consent':
      return signIn?.consent ? (
        <Consent signIn={signIn} consent={signIn.consent} dispatch={dispatch} />
      ) : null;
    case 'completing':
    case 'consenting':
    case 'cancelling':
    case 'leaving':
      return <Going stage={stage} host={signIn?.host ?? null} />;
    case 'ended':
      return <Ended how={stage.how} dispatch={dispatch} />;
    case 'failed':
      return <Failed failure={stage.failure} canCancel={signIn !== undefined} dispatch={dispatch} />;
    case 'nearby':
    case 'confirming-nearby':
      return <Nearby stage={stage} dispatch={dispatch} />;
    case 'asking-computer':
      return <Computer dispatch={dispatch} />;
    case 'noting':
      return <Noting session={stage.session} dispatch={dispatch} />;
    case 'closed':
      return null;
    default:
      return <Code signIn={signIn} stage={stage} dispatch={dispatch} />;
  }
}

const hasOutcome = ({ at }: Stage): boolean =>
  at === 'completing' || at === 'leaving' || at === 'ended' || at === 'failed';

const brandOf = (signIn: Details | undefined): Brand | undefined => signIn;
