import { useQuery } from '@tanstack/react-query';
import {
  ChevronRight,
  CirclePlus,
  Fingerprint,
  KeyRound,
  Laptop,
  type LucideIcon,
  Smartphone,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/forms/button';
import { AddPhone } from '../additions/additions';
import { BrowsersList } from '../browsers/browsers';
import { ChangeKey } from '../key/key';
import { t } from '../language/strings';
import { Asking } from '../parts/company/company';
import { Later } from '../parts/later';
import choices from '../parts/lists/choices.module.css';
import { Actions, Screen } from '../parts/screen/screen';
import { useAvailableProtection } from '../parts/use-available-protection';
import { canTurnOn, TurnOnPasskey } from '../passkey/passkey';
import { IDENTITIES, type Identity, readIdentities } from '../vault/identities';
import { PhonesList } from './list';
import style from './phones.module.css';

export type PhonesPart = 'add' | 'list' | 'key' | 'browsers' | 'passkey';

/** What a person can do with their phones. Each part is a screen of its own, so that this one stays short. */
export function ManagePhones({
  id,
  part: first,
  onClose,
  onTime,
}: {
  readonly id: string;
  /** The part that opens first. Leaving it leaves this screen. */
  readonly part?: PhonesPart | undefined;
  readonly onClose: () => void;
  readonly onTime: () => void;
}) {
  const identities = useQuery({ queryKey: IDENTITIES, queryFn: readIdentities });
  const [part, setPart] = useState(first);
  const identity = identities.data?.find((other) => other.id === id);
  const back = () => (first === undefined ? setPart(undefined) : onClose());
  // This phone was removed.
  if (identities.data && identity === undefined) return <Gone onClose={onClose} />;
  if (identity === undefined) return null;
  switch (part) {
    case 'add':
      return <AddPhone identity={identity} onBack={back} onClose={onClose} />;
    case 'list':
      return (
        <PhonesList
          identity={identity}
          onBack={back}
          onAdd={() => setPart('add')}
          onTurnOnPasskey={() => setPart('passkey')}
        />
      );
    case 'key':
      return <ChangeKey identity={identity} onBack={back} onClose={onClose} />;
    case 'browsers':
      return <BrowsersList identity={identity} onBack={back} />;
    case 'passkey':
      return <TurnOnPasskey identity={identity} onBack={back} onClose={onClose} />;
    case undefined:
      return <Parts identity={identity} onPart={setPart} onClose={onClose} onTime={onTime} />;
  }
}

function Parts({
  identity,
  onPart,
  onClose,
  onTime,
}: {
  readonly identity: Identity;
  readonly onPart: (part: PhonesPart) => void;
  readonly onClose: () => void;
  readonly onTime: () => void;
}) {
  const available = useAvailableProtection();
  return (
    <Screen title={t.phones.title} lead={<Asking account={identity} />}>
      <ul className={choices.choices}>
        <Part icon={CirclePlus} about={t.phones.addAbout} onClick={() => onPart('add')}>
          {t.phones.add}
        </Part>
        <Part icon={Smartphone} about={t.phones.lostAbout} onClick={() => onPart('list')}>
          {t.phones.lost}
        </Part>
        <Part icon={KeyRound} about={t.phones.changeKeyAbout} onClick={() => onPart('key')}>
          {t.phones.changeKey}
        </Part>
        <Part icon={Laptop} about={t.browsers.partAbout} onClick={() => onPart('browsers')}>
          {t.browsers.title}
        </Part>
        <li>
          <Later
            name="time-choice"
            load={async () => (await import('../time/time')).TimeChoice}
            of={{ onTime }}
          />
        </li>
        {canTurnOn(identity) && available === 'screen-lock' && (
          <Part icon={Fingerprint} about={t.passkey.partAbout} onClick={() => onPart('passkey')}>
            {t.passkey.part}
          </Part>
        )}
      </ul>
      <div className={style.aside}>
        <h2>{t.phones.ifLost}</h2>
        <p>
          {t.phones.ifLostText} {t.phones.ifLostProtected[identity.protection.kind]}
        </p>
      </div>
      <Actions>
        <Button onClick={onClose}>{t.back}</Button>
      </Actions>
    </Screen>
  );
}

const Part = ({
  icon: Icon,
  about,
  onClick,
  children,
}: {
  readonly icon: LucideIcon;
  readonly about: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}) => (
  <li>
    <button type="button" className={choices.choice} onClick={onClick}>
      <Icon size={22} aria-hidden="true" />
      <span>
        <strong>{children}</strong>
        <span className={choices.about}>{about}</span>
      </span>
      <ChevronRight size={18} aria-hidden="true" />
    </button>
  </li>
);

const Gone = ({ onClose }: { readonly onClose: () => void }) => (
  <Screen title={t.phones.remove.done}>
    <Actions>
      <Button look="primary" onClick={onClose}>
        {t.done}
      </Button>
    </Actions>
  </Screen>
);
