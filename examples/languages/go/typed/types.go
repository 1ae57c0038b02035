package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "shop.example.com", Version: "v1"}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec"`
	Status            WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	Size    string   `json:"size"`
	Count   *int32   `json:"count,omitempty"`
	Colours []string `json:"colours,omitempty"`
}

type WidgetStatus struct {
	Made int32 `json:"made,omitempty"`
}

type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

// DeepCopyObject and the functions below are as controller-gen or deepcopy-gen would write them.
func (in *Widget) DeepCopyObject() runtime.Object { return in.DeepCopy() }

func (in *Widget) DeepCopy() *Widget {
	out := *in
	out.ObjectMeta = *in.ObjectMeta.DeepCopy()
	out.Spec.Colours = append([]string(nil), in.Spec.Colours...)
	if in.Spec.Count != nil {
		count := *in.Spec.Count
		out.Spec.Count = &count
	}
	return &out
}

func (in *WidgetList) DeepCopyObject() runtime.Object {
	out := WidgetList{TypeMeta: in.TypeMeta, ListMeta: *in.ListMeta.DeepCopy()}
	for _, item := range in.Items {
		out.Items = append(out.Items, *item.DeepCopy())
	}
	return &out
}

// AddToScheme registers the types, here and for controller-runtime.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(groupVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	return nil
}
