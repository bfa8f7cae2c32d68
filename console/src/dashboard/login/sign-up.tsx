import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { TextField } from '../../ui/forms/field';
import { Form } from '../../ui/forms/form';
import { NewPassword } from '../../ui/forms/new-password';
import { useSending } from '../../ui/forms/use-sending';
import { Notice, Stack } from '../../ui/layout/surface';
import { svc } from '../api';
import { RawKey } from '../keys/raw-key';
import { SecretText } from '../secret-once';
import { nextPage, notifyTabs } from '../session';
import { Entrance } from './entrance';

/** Keys that are shown only now. The test key is missing if creating it failed. */
interface FirstKeys {
  readonly live: string;
  readonly test?: string;
}

/** Creates an account, logs this browser in, and shows a live key and a test key, which are returned only once. */
export function SignUp() {
  const { search } = useLocation();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [keys, setKeys] = useState<FirstKeys>();
  const signUp = useSending({
    mutationFn: async (account: { companyName: string; email: string; password: string }) => {
      // The response also logs this browser in.
      const { apiKey, tenant } = await svc.console.signUp(account);
      setKeys({ live: apiKey.key });
      queries.clear();
      // The first owner has the id of the account.
      notifyTabs(tenant.id);
      const test = await createTestKey();
      if (test !== undefined) setKeys({ live: apiKey.key, test });
    },
  });
  if (keys !== undefined && !signUp.isPending)
    return (
      <Entrance title={keys.test === undefined ? 'Your first API key' : 'Your first API keys'}>
        {keys.test === undefined ? (
          <>
            <p>Send this key with every request to the live environment.</p>
            <RawKey text={keys.live} />
          </>
        ) : (
          <>
            <section aria-label="Test key">
              <Stack>
                <h2>Test key</h2>
                <p>Start with this one. Its records are separate from those of the live environment.</p>
                <SecretText text={keys.test} copy="Copy the test key" />
              </Stack>
            </section>
            <section aria-label="Live key">
              <Stack>
                <h2>Live key</h2>
                <SecretText text={keys.live} copy="Copy the live key" />
              </Stack>
            </section>
            <Notice tone="warn">
              Send one of them with every request. Store them like passwords. They are shown only now and
              can’t be retrieved later.
            </Notice>
          </>
        )}
        <Button look="primary" onClick={() => void navigate(nextPage(search), { replace: true })}>
          {keys.test === undefined ? 'I have stored it' : 'I have stored them'}: continue
        </Button>
      </Entrance>
    );
  return (
    <Entrance title="Sign up">
      <Form
        names={['companyName', 'email', 'password']}
        error={signUp.error}
        onSend={(account) => signUp.mutate(account)}
      >
        <TextField
          label="Company"
          name="companyName"
          autoComplete="organization"
          maxLength={200}
          required
          autoFocus
        />
        <TextField label="E-mail" name="email" type="email" autoComplete="username" required />
        <NewPassword label="Password" name="password" />
        {signUp.error && <Failure error={signUp.error} />}
        <Button look="primary" type="submit" busy={signUp.isPending}>
          Create the account
        </Button>
      </Form>
      <p>
        Already have an account? <Link to={`/login${search}`}>Log in</Link>
      </p>
    </Entrance>
  );
}

/** The account works without it, so failing to create it is no error. */
async function createTestKey(): Promise<string | undefined> {
  try {
    return (await svc.console.keys.create({ name: 'First test key', environment: 'test' })).key;
  } catch {
    return undefined;
  }
}
