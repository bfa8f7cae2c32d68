import { useState } from 'react';
import { useSending } from '../../light/use-sending';
import { useWorks } from '../../light/use-works';
import { Failure } from '../../ui/failure';
import { TextField } from '../../ui/forms/fields/field';
import { NewPassword } from '../../ui/forms/fields/new-password';
import { Form } from '../../ui/forms/form';
import { forgetReader } from '../operations/forget-reader';
import { LOG_IN } from '../operations/log-in-addresses';
import { notifyTabs } from '../tabs';
import { Entrance } from './entrance';
import { FirstKeys, type Keys } from './first-keys';
import { addressOf, nextPage } from './next-page';
import { Submit } from './submit';
import { svc } from './svc';

interface Account {
  readonly companyName: string;
  readonly email: string;
  readonly password: string;
}

/** Creates an account, logs this browser in, and shows a live key and a test key, which are returned only once. */
export function SignUp() {
  const search = useWorks() ? location.search : '';
  const [keys, setKeys] = useState<Keys>();
  const signUp = useSending({
    mutationFn: async (account: Account) => {
      // The response also logs this browser in.
      const { apiKey, tenant } = await svc.request('consoleSignUp', {
        body: { ...account, preset: 'recommended' },
      });
      setKeys({ live: apiKey.key });
      // The first owner has the id of the account.
      forgetReader();
      notifyTabs(tenant.id);
      const test = await createTestKey();
      if (test !== undefined) setKeys({ live: apiKey.key, test });
    },
  });
  if (keys !== undefined && !signUp.isPending)
    return <FirstKeys keys={keys} onStored={() => location.replace(addressOf(nextPage(search)))} />;
  return (
    <Entrance
      title="Sign up"
      about="An account for your company."
      more={
        <>
          Already have an account? <a href={LOG_IN + search}>Log in</a>
        </>
      }
    >
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
        {signUp.error !== undefined && <Failure error={signUp.error} />}
        <Submit busy={signUp.isPending}>Create the account</Submit>
      </Form>
    </Entrance>
  );
}

/** The account works without it, so failing to create it is no error. */
async function createTestKey(): Promise<string | undefined> {
  try {
    const body = { name: 'First test key', environment: 'test' } as const;
    return (await svc.request('consoleCreateApiKey', { body })).apiKey.key;
  } catch {
    return undefined;
  }
}
