import { ButtonAnchor } from '../../../ui/forms/button';
import { ButtonLink } from '../../../ui/forms/button-link';
import { EmptyList } from '../../../ui/lists/list';
import { pageIn } from '../../paths';

/** Why this environment or this service has no anchors. */
export const NotAnchored = ({ because }: { readonly because: 'test' | 'no blockchain' }) =>
  because === 'test' ? (
    <EmptyList
      title="Test records are never anchored"
      text="Only the live environment is on the blockchain."
      action={<ButtonLink to={pageIn('live', 'anchors')}>Show live anchors</ButtonLink>}
    />
  ) : (
    <EmptyList
      title="This service has no blockchain"
      text="Its operator can configure one. Until then, nothing is anchored."
      action={<ButtonAnchor href="/docs/chain">Read the documentation</ButtonAnchor>}
    />
  );
