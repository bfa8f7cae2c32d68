import { X } from 'lucide-react';
import { ButtonLink } from '../../../ui/forms/button-link';
import { Panel } from '../../../ui/layout/panel';
import { type Step, Steps } from '../../../ui/layout/steps';
import { Notice } from '../../../ui/layout/surface';
import { Needs } from '../../nouns/members/needs';
import type { Environment } from '../../operations/api';
import { useEnvironment } from '../../operations/environment';
import { accountPage, pageIn } from '../../paths';
import { RegisterPerson } from '../../registrations/registrations';
import { FirstProof, type useFirstProof } from './first-proof';
import style from './onboarding.module.css';
import type { Progress } from './use-progress';

/** The steps from a new account to a product that signs people in. What the API did counts as well as what was clicked. */
export function Onboarding({
  progress,
  isTried,
  isFirst,
  proof,
  onDismiss,
}: {
  readonly progress: Progress;
  /** The account had a verification in its test environment. */
  readonly isTried: boolean;
  /** The account has had one verification. */
  readonly isFirst: boolean;
  readonly proof: ReturnType<typeof useFirstProof>;
  readonly onDismiss: () => void;
}) {
  const environment = useEnvironment();
  const isOffered = !progress.verification && !isTried && proof.data === undefined;
  const first = STEPS.find(({ id }) => !progress[id])?.id;
  return (
    <Panel
      title="First steps"
      aria-label="First steps"
      aside={
        <button
          type="button"
          className={style.dismiss}
          aria-label="Hide the first steps"
          title="Hide the first steps"
          onClick={onDismiss}
        >
          <X size={16} aria-hidden="true" />
        </button>
      }
    >
      {(isOffered || proof.data) && (
        <Needs least="developer">
          <FirstProof proof={proof} />
        </Needs>
      )}
      {isFirst && proof.data === undefined && (
        <Notice tone="good">
          <strong>Your first sign-in worked.</strong> A phone proved who its owner is, without a password.
        </Notice>
      )}
      <Steps
        label="First steps"
        isWide
        steps={STEPS.map(({ id, name, about, to, action }): Step => {
          const state = progress[id] ? 'done' : id === first ? 'current' : 'ahead';
          const look = {
            small: true,
            look: state === 'current' && !isOffered ? 'primary' : 'plain',
          } as const;
          return {
            name,
            about: state === 'current' && about,
            state,
            ...(state !== 'done' && {
              action:
                to === undefined ? (
                  <RegisterPerson {...look} />
                ) : (
                  <Needs least="developer">
                    <ButtonLink {...look} to={to(environment)}>
                      {action}
                    </ButtonLink>
                  </Needs>
                ),
            }),
          };
        })}
      />
    </Panel>
  );
}

/** A step without an address is to register a person. */
const STEPS: readonly {
  readonly id: keyof Progress;
  readonly name: string;
  readonly about: string;
  readonly to?: (environment: Environment) => string;
  readonly action?: string;
}[] = [
  {
    id: 'person',
    name: 'Register a first person',
    about:
      'Their phone scans a code and creates a secret that never leaves it. Without a phone at hand, use “Open in this browser” next to the code.',
  },
  {
    id: 'verification',
    name: 'Sign in on a computer',
    about: 'The computer shows a code and a number, and the phone proves who its owner is.',
    to: (environment) => pageIn(environment, 'pairing'),
    action: 'Try a sign-in',
  },
  {
    id: 'key',
    name: 'Send a request with an API key',
    about: 'Your backend sends the key with every request. Store it like a password.',
    to: () => accountPage('keys'),
    action: 'Create a key',
  },
  {
    id: 'place',
    name: 'Set up an application or a kiosk',
    about: 'People sign in to your application with OpenID Connect, or at a shared screen.',
    to: (environment) => pageIn(environment, 'applications'),
    action: 'Add an application',
  },
  {
    id: 'webhook',
    name: 'Receive events with a webhook',
    about: 'The service sends your backend what happens: who signed in, and what failed.',
    to: (environment) => pageIn(environment, 'webhooks'),
    action: 'Add a webhook',
  },
];
