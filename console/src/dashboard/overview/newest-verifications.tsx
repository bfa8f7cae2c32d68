import type { Verification } from '@svc/sdk';
import { Link } from 'react-router';
import { Ago } from '../../ui/lists/time';
import { useEnvironment } from '../environment';
import { Named } from '../named';
import { useNamesOfDevices, useNamesOfPeople } from '../names';
import { VerificationResult } from '../verifications/verification-result';
import style from './overview.module.css';

export function NewestVerifications({ newest }: { readonly newest: readonly Verification[] | undefined }) {
  const environment = useEnvironment();
  const people = useNamesOfPeople(environment);
  const devices = useNamesOfDevices(environment);
  if (newest === undefined) return null;
  return (
    <section className={style.panel}>
      <header>
        <h2>Newest verifications</h2>
        <Link className={style.more} to={`/${environment}/verifications`}>
          View all
        </Link>
      </header>
      {newest.length === 0 ? (
        <p>No verifications yet.</p>
      ) : (
        <ul className={style.rows}>
          {newest.slice(0, 8).map((verification) => (
            <li key={verification.id}>
              <strong>
                {verification.userId === null ? (
                  'Unknown person'
                ) : (
                  <Named id={verification.userId} names={people} />
                )}
              </strong>
              <span>
                {verification.deviceId !== null && <Named id={verification.deviceId} names={devices} />}
              </span>
              <VerificationResult of={verification.result} />
              <Ago at={verification.occurredAt} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
