/** How much a destination gets to see; see DESIGN "Annotations that are added". */
export type AnnotationProfile = "compact" | "full";
