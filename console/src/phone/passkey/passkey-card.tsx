import { Fingerprint } from 'lucide-react';
import { Button } from '../../ui/forms/button';
import { t } from '../language/strings';
import { hasScreenLock, type Identity } from '../vault/identities';
import style from './passkey-card.module.css';
import { canTurnOn } from './turn-on';

/** Offers the passkey for an identity that a screen lock protects, and that has none yet. */
export const PasskeyCard = ({
  identity,
  heading: Heading = 'h3',
  onTurnOn,
}: {
  readonly identity: Identity;
  readonly heading?: 'h2' | 'h3';
  readonly onTurnOn: () => void;
}) =>
  hasScreenLock(identity) &&
  canTurnOn(identity) && (
    <section className={style.card}>
      <Fingerprint size={22} aria-hidden="true" />
      <div>
        <Heading>{t.passkey.title}</Heading>
        <p>{t.passkey.card}</p>
      </div>
      <Button onClick={onTurnOn}>{t.passkey.turnOn}</Button>
    </section>
  );
