import { type CreatedApiKey, isSvcError } from '@svc/sdk';
import { KeyRound } from 'lucide-react';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { ButtonLink } from '../../ui/forms/button-link';
import { TextField } from '../../ui/forms/fields/field';
import { Needs } from '../nouns/members/needs';
import { svc } from '../operations/api';
import { faultOfKey } from '../operations/playground-key';
import { useSend } from '../operations/send';
import { accountPage } from '../paths';
import style from './playground.module.css';

const EXPIRES_AFTER_MS = 7 * 86_400_000;

/** The key that requests are sent with: the reader's own, or a new one that expires within a week. */
export function TestKey({
  value,
  missing,
  onChange,
}: {
  readonly value: string;
  /** Whether to ask for one that is missing. */
  readonly missing: boolean;
  readonly onChange: (key: string) => void;
}) {
  const create = useSend('consoleCreateApiKey', { onSuccess: ({ apiKey }) => onChange(apiKey.key) });
  const send = () =>
    create.mutate({
      body: {
        name: 'Try it',
        environment: 'test',
        expiresAt: new Date(svc.serverNow() + EXPIRES_AFTER_MS).toISOString(),
      },
    });
  const fault = faultOfKey(value);
  return (
    <div className={style.key}>
      <TextField
        type="password"
        label="Test key"
        value={value}
        autoComplete="off"
        spellCheck={false}
        placeholder="svc_test_…"
        hint={hintOf(value, create.data?.apiKey)}
        error={fault ?? (missing && value === '' ? 'Paste a test key, or create one.' : undefined)}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      {value === '' && (
        <Needs least="developer">
          <Button busy={create.isPending} onClick={send}>
            {!create.isPending && <KeyRound size={16} aria-hidden="true" />}
            Create a test key
          </Button>
        </Needs>
      )}
      {create.error && (
        <>
          <Failure error={create.error} />
          {isSvcError(create.error, 'api_key_limit_reached') && (
            <ButtonLink small to={accountPage('keys')}>
              API keys
            </ButtonLink>
          )}
        </>
      )}
    </div>
  );
}

/** None beside an error, because such a key is not kept. */
function hintOf(key: string, created: CreatedApiKey | undefined): string | undefined {
  if (faultOfKey(key) !== undefined) return undefined;
  return created?.key === key
    ? `A new key, “${created.name}”, which expires in 7 days. Only this tab has it.`
    : 'Only this tab keeps it, until you close the tab.';
}
