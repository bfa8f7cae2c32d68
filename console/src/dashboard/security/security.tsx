import { Page } from '../../ui/layout/surface';
import { Loaded } from '../../ui/lists/loaded';
import { usePolicy } from '../nouns/policy/use-policy';
import { PolicyForm } from './policy/policy-form';

export function Security() {
  const policy = usePolicy();
  return (
    <Page title="Policy" about="What phones and proofs must fulfil in both environments.">
      <Loaded name="the security policy" query={policy}>
        {(current) => <PolicyForm seen={current} />}
      </Loaded>
    </Page>
  );
}
