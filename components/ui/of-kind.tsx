interface OfKindProps {
  readonly of: { readonly kind: string; readonly namespace: string };
}

/** Kind of something and its namespace, after its name: "Kustomization in flux-system". */
export function OfKind({ of: { kind, namespace } }: OfKindProps) {
  return (
    <span className="text-mute">
      {kind}
      {namespace !== '' && ` in ${namespace}`}
    </span>
  );
}
