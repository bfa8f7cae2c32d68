import { Button } from '../../ui/forms/button';
import { Stack } from '../../ui/layout/stack';
import { Notice } from '../../ui/layout/surface';
import { SecretOnce, SecretText } from '../secret-once';
import { Entrance } from './entrance';

/** Keys that are shown only now. The test key is missing if creating it failed. */
export interface Keys {
  readonly live: string;
  readonly test?: string;
}

export function FirstKeys({
  keys: { live, test },
  onStored,
}: {
  readonly keys: Keys;
  readonly onStored: () => void;
}) {
  if (test === undefined)
    return (
      <Entrance title="Your first API key" about="Send this key with every request to the live environment.">
        <SecretOnce text={live} copy="Copy the key">
          Store it like a password. It is shown only now and can’t be retrieved later.
        </SecretOnce>
        <Button look="primary" onClick={onStored}>
          I have stored it: continue
        </Button>
      </Entrance>
    );
  return (
    <Entrance title="Your first API keys">
      <section aria-label="Test key">
        <Stack>
          <h2>Test key</h2>
          <p>Start with this one. Its records are separate from those of the live environment.</p>
          <SecretText text={test} copy="Copy the test key" />
        </Stack>
      </section>
      <section aria-label="Live key">
        <Stack>
          <h2>Live key</h2>
          <SecretText text={live} copy="Copy the live key" />
        </Stack>
      </section>
      <Notice tone="warn">
        Send one of them with every request. Store them like passwords. They are shown only now and can’t be
        retrieved later.
      </Notice>
      <Button look="primary" onClick={onStored}>
        I have stored them: continue
      </Button>
    </Entrance>
  );
}
