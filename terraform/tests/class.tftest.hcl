# One learner and a class, planned with a mocked provider: the numbers follow from each other.

mock_provider "google" {}

variables {
  project_id = "my-project-123"
}

run "one_learner_has_one_l4_alone_and_nothing_runs_meanwhile" {
  command = plan

  assert {
    condition     = google_container_node_pool.gpu.autoscaling[0].total_min_node_count == 0 && google_container_node_pool.gpu.autoscaling[0].total_max_node_count == 1
    error_message = "0 to 1 GPU nodes"
  }
  assert {
    condition     = length(google_container_node_pool.gpu.node_config[0].guest_accelerator[0].gpu_sharing_config) == 0
    error_message = "nothing is shared"
  }
  assert {
    condition     = google_container_node_pool.gpu.node_config[0].machine_type == "g2-standard-4" && !google_container_node_pool.gpu.node_config[0].spot
    error_message = "the smallest machine with an L4, on demand"
  }
  assert {
    condition     = google_container_node_pool.gpu.node_config[0].max_run_duration == "43200s"
    error_message = "a forgotten node ends itself after 12 hours"
  }
  assert {
    condition     = google_container_cluster.this.deletion_protection == false
    error_message = "destroy must be able to take it away"
  }
}

run "thirty_learners_share_four_l4s" {
  command = plan

  variables {
    learners         = 30
    learners_per_gpu = 8
    machine_type     = "g2-standard-16"
  }

  assert {
    condition     = google_container_node_pool.gpu.autoscaling[0].total_max_node_count == 4 && output.gpu_nodes.gpus == 4
    error_message = "30 / 8 needs 4 nodes"
  }
  assert {
    condition     = google_container_node_pool.gpu.node_config[0].guest_accelerator[0].gpu_sharing_config[0].max_shared_clients_per_gpu == 8
    error_message = "8 share one"
  }
  assert {
    condition     = google_container_node_pool.gpu.node_config[0].guest_accelerator[0].gpu_sharing_config[0].gpu_sharing_strategy == "TIME_SHARING"
    error_message = "an L4 knows no MIG"
  }
}

run "three_hundred_learners_need_38" {
  command = plan

  variables {
    learners         = 300
    learners_per_gpu = 8
    machine_type     = "g2-standard-16"
  }

  assert {
    condition     = output.gpu_nodes.nodes == 38
    error_message = "300 / 8 needs 38 nodes"
  }
}

run "a_class_may_have_an_l4_for_each" {
  command = apply

  variables {
    learners = 5
  }

  assert {
    condition     = output.gpu_nodes.nodes == 5 && length(google_container_node_pool.gpu.node_config[0].guest_accelerator[0].gpu_sharing_config) == 0
    error_message = "five nodes, nothing is shared"
  }
  assert {
    condition     = strcontains(output.next, "deploy/workshop up workshop") && strcontains(output.next, "--learners-per-gpu 1\n")
    error_message = "the overlay of a class, not that of one learner"
  }
}

run "machines_with_several_l4s_count_them" {
  command = plan

  variables {
    learners         = 48
    learners_per_gpu = 6
    machine_type     = "g2-standard-96"
  }

  assert {
    condition     = output.gpu_nodes.nodes == 1 && output.gpu_nodes.gpus == 8
    error_message = "one machine with 8 L4s has room for 48"
  }
  assert {
    condition     = google_container_node_pool.gpu.node_config[0].guest_accelerator[0].count == 8
    error_message = "all of its GPUs are in the pool"
  }
}

run "the_region_follows_from_the_zone" {
  command = plan

  variables {
    zone = "europe-west4-b"
  }

  assert {
    condition     = google_compute_subnetwork.this.region == "europe-west4" && google_artifact_registry_repository.this.location == "europe-west4"
    error_message = "the network and the image are where the nodes are"
  }
}

run "a_reservation_is_used_by_its_name" {
  command = plan

  variables {
    reservation = "class-of-monday"
  }

  assert {
    condition     = one(google_container_node_pool.gpu.node_config[0].reservation_affinity[0].values) == "class-of-monday"
    error_message = "the nodes come from the reservation"
  }
}

run "learners_may_reach_the_cluster_and_nothing_more" {
  command = plan

  variables {
    learner_members = ["group:class@example.com"]
  }

  assert {
    condition     = google_project_iam_custom_role.learner.permissions == toset(["container.clusters.connect", "container.clusters.get"])
    error_message = "IAM or RBAC is enough for GKE: more here would open every Pod"
  }
  assert {
    condition     = google_project_iam_member.learners["group:class@example.com"].member == "group:class@example.com"
    error_message = "the members have that role"
  }
}

run "the_end_prints_what_to_type" {
  command = apply

  assert {
    condition     = strcontains(output.next, "--dns-endpoint") && strcontains(output.next, "deploy/workshop up gpu")
    error_message = "the next commands"
  }
  assert {
    condition     = strcontains(output.next, "--platform linux/amd64")
    error_message = "the nodes are x86, whatever the machine that builds"
  }
  assert {
    condition     = strcontains(output.learner, "get-credentials jittutor --location us-central1-a --project my-project-123 --dns-endpoint")
    error_message = "learners come in through the same door"
  }
  assert {
    condition     = strcontains(output.last, "deploy/workshop down") && strcontains(output.last, "terraform -chdir=terraform destroy")
    error_message = "the last commands"
  }
}
