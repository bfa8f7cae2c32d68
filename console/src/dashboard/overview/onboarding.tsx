import { useQuery } from '@tanstack/react-query';
import { Failure } from '../../ui/failure';
import { ButtonLink } from '../../ui/forms/button-link';
import { Panel } from '../../ui/layout/panel';
import { type Step, Steps } from '../../ui/layout/steps';
import { Notice } from '../../ui/layout/surface';
import { AUDIT, type Environment, svc } from '../api';
import { useEnvironment } from '../environment';
import { RegisterPerson } from '../registrations/register-person';
import { Needs } from '../team/needs';

/** The steps from a new account to its first sign-in. The card disappears after the second sign-in. */
export function Onboarding({ progress }: { readonly progress: ReturnType<typeof useProgress> }) {
  const environment = useEnvironment();
  if (progress.error) return <Failure error={progress.error} onRetry={() => void progress.refetch()} />;
  if (progress.data === undefined || progress.data.signIns > 1) return null;
  const { key, phone, signIns } = progress.data;
  const done = [key, phone, signIns > 0];
  if (signIns === 1)
    return (
      <Notice tone="good">
        <p>
          <strong>Your first sign-in worked.</strong>
        </p>
        <p>
          A phone proved who its owner is, without a password. Next, add this to your own product: read the{' '}
          <a href="/docs/">documentation</a>.
        </p>
      </Notice>
    );
  return (
    <Panel title="Set up your first sign-in">
      <p>
        If you don’t have a phone with you, use “Open in this browser” next to each code. It opens the phone
        page in another tab.
      </p>
      <Steps
        label="First steps"
        steps={STEPS.map(({ name, about, to, action }, at): Step => {
          const state = done[at] ? 'done' : at === done.indexOf(false) ? 'current' : 'ahead';
          const look = { small: true, look: state === 'current' ? 'primary' : 'plain' } as const;
          return {
            name,
            about,
            state,
            ...(!done[at] && {
              action:
                to === undefined ? (
                  <RegisterPerson {...look} />
                ) : (
                  <Needs least="developer">
                    <ButtonLink {...look} to={to.replace(':environment', environment)}>
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
  readonly name: string;
  readonly about: string;
  readonly to?: string;
  readonly action?: string;
}[] = [
  {
    name: 'Store an API key',
    about: 'Send this key with every request. Store it like a password.',
    to: '/developers/keys',
    action: 'Create a key',
  },
  {
    name: 'Register a first phone',
    about: 'The person’s phone scans a code and creates a secret that never leaves the phone.',
  },
  {
    name: 'Sign in on a computer',
    about: 'The computer shows a code and a number, and the phone proves who its owner is.',
    to: '/:environment/pairing',
    action: 'Try a sign-in',
  },
];

/** Which steps the account has completed, according to its keys and its audit log. */
export function useProgress(environment: Environment) {
  return useQuery({
    queryKey: [...AUDIT, environment, 'onboarding'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const log = svc.console.audit(environment);
      const newest = (action: string, limit: number) =>
        log.list({ action, status: 'success', limit }, { signal });
      const [{ keys }, registered, signIns] = await Promise.all([
        svc.console.keys.list({ limit: 100 }, { signal }), // the active ones come first
        newest('registration.completed', 1),
        newest('pairing.submit', 2),
      ]);
      return {
        key: keys.some((key) => key.status === 'active' && key.environment === environment),
        phone: registered.audit.length > 0,
        signIns: signIns.audit.length,
      };
    },
  });
}
