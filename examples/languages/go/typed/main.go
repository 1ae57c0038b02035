// Orders a widget through client-go with types of its own, and follows its changes.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func connect(kubeconfig string) *rest.RESTClient {
	scheme := runtime.NewScheme()
	check(AddToScheme(scheme))
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	check(err)
	config.APIPath = "/apis"
	config.GroupVersion = &groupVersion
	config.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientFor(config)
	check(err)
	return client
}

// widgets returns a request for all widgets of the namespace.
func widgets(request *rest.Request) *rest.Request {
	return request.Namespace("default").Resource("widgets")
}

func main() {
	ctx := context.Background()
	client := connect(os.Args[1])

	created := &Widget{}
	order := &Widget{ObjectMeta: metav1.ObjectMeta{Name: "door"}, Spec: WidgetSpec{Size: "large"}}
	check(widgets(client.Post()).Body(order).Do(ctx).Into(created))
	fmt.Println("created", created.Spec.Size, *created.Spec.Count)

	list := &WidgetList{}
	check(widgets(client.Get()).Do(ctx).Into(list))
	for _, item := range list.Items {
		fmt.Println("listed", item.Name)
	}

	patched := &Widget{}
	change := []byte(`{"spec": {"count": 2}}`)
	check(widgets(client.Patch(types.MergePatchType)).Name("door").Body(change).Do(ctx).Into(patched))
	fmt.Println("patched", *patched.Spec.Count)

	applied := &Widget{}
	red := []byte(`{"apiVersion": "shop.example.com/v1", "kind": "Widget", "spec": {"size": "large", "colours": ["red"]}}`)
	apply := widgets(client.Patch(types.ApplyPatchType)).Name("door").Param("fieldManager", "painter")
	check(apply.Body(red).Do(ctx).Into(applied))
	fmt.Println("applied", applied.Spec.Colours)

	made := applied.DeepCopy()
	made.Status.Made = 1
	check(widgets(client.Put()).Name("door").SubResource("status").Body(made).Do(ctx).Into(made))
	fmt.Println("made", made.Status.Made)

	small := made.DeepCopy()
	small.Spec.Size = "small"
	err := widgets(client.Put()).Name("door").Body(small).Do(ctx).Error()
	if errors.IsInvalid(err) {
		fmt.Println("refused", err.(errors.APIStatus).Status().Details.Causes[0].Field)
	}
	if errors.IsConflict(widgets(client.Put()).Name("door").Body(created).Do(ctx).Error()) {
		fmt.Println("somebody else changed it first")
	}

	check(widgets(client.Delete()).Name("door").Do(ctx).Error())
	since := widgets(client.Get()).Param("watch", "true").Param("resourceVersion", created.ResourceVersion)
	events, err := since.Watch(ctx)
	check(err)
	defer events.Stop()
	for event := range events.ResultChan() {
		fmt.Println("seen", event.Type, *event.Object.(*Widget).Spec.Count)
		if event.Type == watch.Deleted {
			break
		}
	}
}
