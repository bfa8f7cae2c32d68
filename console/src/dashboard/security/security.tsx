import { useQuery } from '@tanstack/react-query';
import { Page } from '../../ui/layout/surface';
import { Loaded } from '../../ui/lists/loaded';
import { svc } from '../api';
import { POLICY } from './policy';
import { PolicyForm } from './policy-form';
import style from './security.module.css';

export function Security() {
  const policy = useQuery({
    queryKey: POLICY,
    queryFn: ({ signal }) => svc.console.getSecurityPolicy({ signal }),
  });
  return (
    <Page title="Verification requirements" about="What phones and proofs must fulfil in both environments.">
      <div className={style.narrow}>
        <Loaded name="the security policy" query={policy}>
          {(current) => <PolicyForm policy={current} />}
        </Loaded>
      </div>
    </Page>
  );
}
