import { KeySquare } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/forms/button';
import { Panel } from '../../ui/layout/panel';
import { Badge } from '../../ui/layout/surface';
import { Ago, Time } from '../../ui/lists/time';
import { Text } from '../../ui/lists/value';
import type { ItemOf } from '../operations/operation';
import { supportsPasskeys } from '../operations/webauthn';
import { Related, RelatedRow, useRelated } from '../records/related/related';
import { AddPasskey } from './add-passkey';
import { RemovePasskey } from './remove-passkey';

type Passkey = ItemOf<'consoleListPasskeys'>;

/** The reader's passkeys. */
export function Passkeys() {
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey>();
  return (
    <Panel title="Passkeys">
      <p>
        Log in with your fingerprint, face or screen lock instead of the password. A passkey can’t be guessed,
        and it does not work on copies of this page.
      </p>
      <Related
        name="Passkeys"
        query={useRelated('consoleListPasskeys', {})}
        keyOf={({ id }) => id}
        row={(passkey) => (
          <RelatedRow what={<Text of={passkey.name} />} about={<About passkey={passkey} />}>
            {passkey.isSynced && <Badge>Synced</Badge>}
            <Button small aria-label={`Remove ${passkey.name}`} onClick={() => setRemoved(passkey)}>
              Remove
            </Button>
          </RelatedRow>
        )}
        empty="No passkey yet."
      />
      <div>
        {supportsPasskeys() ? (
          <Button onClick={() => setAdding(true)}>
            <KeySquare size={16} aria-hidden="true" />
            Add a passkey
          </Button>
        ) : (
          <p>This browser does not support passkeys.</p>
        )}
      </div>
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {removed && <RemovePasskey passkey={removed} onClose={() => setRemoved(undefined)} />}
    </Panel>
  );
}

const About = ({ passkey: { createdAt, lastUsedAt } }: { readonly passkey: Passkey }) => (
  <>
    {lastUsedAt === null ? (
      'Not used yet'
    ) : (
      <>
        Last used <Ago at={lastUsedAt} />
      </>
    )}
    {' · '}
    Added <Time at={createdAt} />
  </>
);
