import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

/** Where no cluster is configured: exactly what to add, and where. */
export function NoClusters({ hint }: { readonly hint: string }) {
  return (
    <EmptyState title="No cluster is read yet. Add one to plumbline.yaml:">
      <pre className="mt-3 overflow-x-auto border border-rule bg-raised px-3 py-2.5 leading-[1.5]">{hint}</pre>
      <p className="mt-2">
        <CopyButton text={hint} what="the YAML" />
      </p>
    </EmptyState>
  );
}
