import { Component, type ReactNode } from 'react';
import { Button } from './button';
import { Notice, Page } from './surface';

interface Props {
  readonly children: ReactNode;
  /** Another page is tried anew. No key of its own: the page before stays until the code of the next is there. */
  readonly page?: string;
}

/** In place of a page whose code did not come, or that failed: what can be done. A white page would say nothing. */
export class Boundary extends Component<Props, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError = () => ({ failed: true });

  override componentDidUpdate({ page }: Props): void {
    if (this.state.failed && page !== this.props.page) this.setState({ failed: false });
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Page title="This page cannot be shown">
        <Notice tone="bad">
          The service may have been updated since you opened it, or the connection failed. Load the page
          again; what was saved is safe.
        </Notice>
        <div>
          <Button look="primary" onClick={() => location.reload()}>
            Load the page again
          </Button>
        </div>
      </Page>
    );
  }
}
