// Orders a widget through client-go's dynamic client, which needs no types, and follows its changes.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
)

var gvr = schema.GroupVersionResource{Group: "shop.example.com", Version: "v1", Resource: "widgets"}

func widget(size string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]interface{}{
		"apiVersion": "shop.example.com/v1",
		"kind":       "Widget",
		"metadata":   map[string]interface{}{"name": "door"},
		"spec":       map[string]interface{}{"size": size},
	}}
}

func field(object *unstructured.Unstructured, path ...string) interface{} {
	value, _, err := unstructured.NestedFieldNoCopy(object.Object, path...)
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	ctx := context.Background()
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	client, err := dynamic.NewForConfig(config)
	check(err)
	widgets := client.Resource(gvr).Namespace("default")

	created, err := widgets.Create(ctx, widget("large"), metav1.CreateOptions{})
	check(err)
	fmt.Println("created", field(created, "spec", "size"), field(created, "spec", "count"))

	list, err := widgets.List(ctx, metav1.ListOptions{})
	check(err)
	for _, item := range list.Items {
		fmt.Println("listed", item.GetName())
	}

	change := []byte(`{"spec": {"count": 2}}`)
	patched, err := widgets.Patch(ctx, "door", types.MergePatchType, change, metav1.PatchOptions{})
	check(err)
	fmt.Println("patched", field(patched, "spec", "count"))

	red := widget("large")
	check(unstructured.SetNestedStringSlice(red.Object, []string{"red"}, "spec", "colours"))
	body, err := red.MarshalJSON()
	check(err)
	applied, err := widgets.Patch(ctx, "door", types.ApplyPatchType, body, metav1.PatchOptions{FieldManager: "painter"})
	check(err)
	fmt.Println("applied", field(applied, "spec", "colours"))

	progress := []byte(`{"status": {"made": 1}}`)
	made, err := widgets.Patch(ctx, "door", types.MergePatchType, progress, metav1.PatchOptions{}, "status")
	check(err)
	fmt.Println("made", field(made, "status", "made"))

	made.Object["spec"].(map[string]interface{})["size"] = "small"
	if _, err = widgets.Update(ctx, made, metav1.UpdateOptions{}); errors.IsInvalid(err) {
		fmt.Println("refused", err.(errors.APIStatus).Status().Details.Causes[0].Field)
	}
	if _, err = widgets.Update(ctx, created, metav1.UpdateOptions{}); errors.IsConflict(err) {
		fmt.Println("somebody else changed it first")
	}

	check(widgets.Delete(ctx, "door", metav1.DeleteOptions{}))
	since := metav1.ListOptions{ResourceVersion: created.GetResourceVersion()}
	events, err := widgets.Watch(ctx, since)
	check(err)
	defer events.Stop()
	for event := range events.ResultChan() {
		fmt.Println("seen", event.Type, field(event.Object.(*unstructured.Unstructured), "spec", "count"))
		if event.Type == watch.Deleted {
			break
		}
	}
}
