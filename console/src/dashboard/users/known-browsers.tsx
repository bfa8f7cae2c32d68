import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Ago, Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import { Needs } from '../nouns/members/needs';
import { choicesOf } from '../nouns/policy/policy';
import { usePolicy } from '../nouns/policy/use-policy';
import type { ItemOf } from '../operations/operation';
import { confirmOf } from '../records/confirm-of';
import { Related, RelatedRow, useRelated } from '../records/related/related';

type KnownBrowser = ItemOf<'listUserBrowsers'>;

const HOW = { nearby: 'The phone was beside it.', same_device: 'It runs on the phone.' } as const;

/** `Firefox on Windows`. A browser may leave out what it is. */
const nameOf = ({ browser, system }: KnownBrowser): string =>
  system === null ? (browser ?? 'Unknown browser') : `${browser ?? 'Unknown browser'} on ${system}`;

/** The browsers in which a person has signed in with the phone beside them. */
export function KnownBrowsers({ userId }: { readonly userId: string }) {
  const [forgotten, setForgotten] = useState<KnownBrowser>();
  return (
    <>
      <Related
        name="Known browsers"
        query={useRelated('listUserBrowsers', { path: { userId } })}
        keyOf={({ id }) => id}
        row={(browser) => (
          <RelatedRow
            what={<Text of={nameOf(browser)} />}
            about={
              <>
                {HOW[browser.how]} Last used <Ago at={browser.lastUsedAt} />
                <br />
                Known since <Time at={browser.createdAt} />
              </>
            }
          >
            <Needs least="developer">
              <Button small aria-label={`Forget ${nameOf(browser)}`} onClick={() => setForgotten(browser)}>
                Forget
              </Button>
            </Needs>
          </RelatedRow>
        )}
        empty="No known browser yet. A browser becomes known when the person signs in with the phone beside it, or on the phone itself."
      />
      {forgotten && <ForgetBrowser browser={forgotten} onClose={() => setForgotten(undefined)} />}
    </>
  );
}

const ForgetBrowser = confirmOf({
  operation: 'forgetBrowser',
  input: ({ browser: { id } }: { readonly browser: KnownBrowser }) => ({ path: { id } }),
  title: ({ browser }) => (
    <>
      Forget “<Text of={nameOf(browser)} />
      ”?
    </>
  ),
  action: 'Forget the browser',
  done: 'Browser forgotten',
  text: () => (
    <>
      <NextSignIn /> The person stays signed in there. To sign them out, end the session.
    </>
  ),
});

function NextSignIn() {
  const policy = usePolicy().data?.policy;
  return policy !== undefined && choicesOf(policy).newBrowser === 'nearby_or_same_device'
    ? 'The next sign-in there needs the phone beside it.'
    : 'Your policy allows new browsers, so the next sign-in there needs nothing more than before.';
}
